import { Decimal } from 'decimal.js';
import { mainCurrency } from '../../../../domain/investments/main-currency.js';
import type { RemoteObject } from '../../../http/remote-object.js';
import { optionalObject } from '../optional-fields.js';

/** The unit in which a holding states its figures. */
export interface StatedUnit {
  /** The main currency: GBP for pence. */
  currency: string;
  /** Converts a figure in the stated unit, exactly. */
  inMainUnit(figure: Decimal | null): Decimal | null;
}

/** @param accountCurrency of a holding without a currency, or with one that is not money */
export function statedUnit(holding: RemoteObject, accountCurrency: string): StatedUnit {
  const stated = optionalObject(holding, 'currency');
  const code = stated?.maybe('currencyCode', (it) =>
    // Case counts: `GBp` are pence.
    it.text('currencyCode', { max: 3, pattern: /^[A-Za-z]{3}$/ }),
  );
  const { currency, divisor } = mainCurrency(code ?? accountCurrency);
  const inMainUnit = (figure: Decimal | null): Decimal | null =>
    figure === null || divisor === 1 ? figure : new Decimal(`${figure.toFixed()}e-2`);
  return { currency, inMainUnit };
}
