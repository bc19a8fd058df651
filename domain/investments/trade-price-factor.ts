import { Decimal } from 'decimal.js';
import { decidePriceFactor, usualFactor } from './decide-price-factor.js';
import type { FetchedInvestmentTransaction } from './fetched-investment-transaction.js';

/**
 * The number that makes quantity × price the value in currency, as for a holding: the value that
 * the source states decides, else the type of the security. Null = the price is unknown. Source:
 * native-api 3.14.
 */
export function tradePriceFactor({
  security,
  currency,
  quantity,
  price,
  gross,
}: FetchedInvestmentTransaction): Decimal | null {
  if (price === null) return null;
  if (security === null) return new Decimal(1);
  return quantity === null
    ? usualFactor({ security })
    : decidePriceFactor({ security, currency, quantity, price, value: gross });
}
