import type { Decimal } from 'decimal.js';
import { jsonNumber, jsonNumberOrNull } from '../api/money.js';
import type { AccountCash } from './account-cash.js';
import type { FetchedHoldingsAccount, FetchedLot } from './fetched-holding.js';
import type { ResolvedHolding } from './resolve-holdings.js';

/** The ids under which a holding is shown. */
export interface HoldingIds {
  holdingId: string;
  accountId: string;
  securityId: string;
}

/**
 * The public JSON of a Holding without its first and last day, which `withDays` adds. Source:
 * native-api 4.14.
 */
export function renderHolding(
  { holdingId, accountId, securityId }: HoldingIds,
  holding: ResolvedHolding,
): string {
  return (
    `{"holding_id":"${holdingId}","account_id":"${accountId}","security_id":"${securityId}",` +
    `"quantity":${decimal(holding.quantity)},"price":${decimal(holding.price)},` +
    `"price_source":${text(holding.priceSource)},"price_factor":${decimal(holding.priceFactor)},` +
    `"price_as_of":${text(holding.priceAsOf)},"value":${jsonNumberOrNull(holding.value)},` +
    `"currency":${text(holding.currency)},"cost_basis":${jsonNumberOrNull(holding.costBasis)},` +
    `"cost_basis_source":${text(holding.costBasisSource)},` +
    `"cost_basis_evidence":${text(holding.costBasisEvidence)},` +
    `"cost_basis_reported":${text(holding.cost.reported)},` +
    `"vested_quantity":${decimal(holding.vestedQuantity)},` +
    `"contribution_source":${text(holding.contributionSource)},"is_cash":${holding.isCash},` +
    `"lots":[${holding.lots.map(renderLot).join(',')}]}`
  );
}

function renderLot({ providerLotId, acquiredOn, quantity, ...lot }: FetchedLot): string {
  return (
    `{"lot_id":${text(providerLotId)},"acquired_on":${text(acquiredOn)},` +
    `"quantity":${decimal(quantity)},"price_paid":${decimal(lot.pricePaid)},` +
    `"cost_basis":${decimal(lot.costBasis)},"value":${decimal(lot.value)}}`
  );
}

/** Adds the first day of a holding, and the day on which it ended, to its public JSON. */
export function withDays(body: string, firstSeen: string, ended: string | null): string {
  return `${body.slice(0, -1)},"first_seen":"${firstSeen}","ended":${text(ended)}}`;
}

/** The public JSON of an account in a list of holdings. Source: native-api 4.14. */
export function renderHoldingsAccount(
  accountId: string,
  { currency, balance }: Pick<FetchedHoldingsAccount, 'currency' | 'balance'>,
  { holdingsValue, inCashHoldings, cash }: AccountCash,
): string {
  return (
    `{"account_id":"${accountId}","currency":${text(currency)},"balance":${jsonNumberOrNull(balance)},` +
    `"holdings_value":${jsonNumberOrNull(holdingsValue)},` +
    `"in_cash_holdings":${jsonNumberOrNull(inCashHoldings)},` +
    `"cash":{"amount":${jsonNumberOrNull(cash.amount)},"source":${text(cash.source)},` +
    `"reported":${jsonNumberOrNull(cash.reported)}}}`
  );
}

const text = (value: string | null): string => JSON.stringify(value);

/** Quantities and prices are strings: a JavaScript number keeps 15 to 17 digits, a coin needs 30. */
const decimal = (value: Decimal | null): string =>
  value === null ? 'null' : `"${jsonNumber(value)}"`;
