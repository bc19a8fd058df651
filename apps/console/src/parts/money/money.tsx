import type { ReactElement } from 'react';
import { digitsOf } from '../../data/parse-json.js';
import { moneyText } from './money-text.js';
import classes from './money.module.css';

/** An amount with the digits of its source, or the word that it is not known. */
export function Money({
  digits,
  currency,
}: {
  digits: string | null;
  currency: string;
}): ReactElement {
  return digits === null ? (
    <span className={classes.unknown}>not known</span>
  ) : (
    <span className={classes.money}>{moneyText(digits, currency)}</span>
  );
}

/** The digits of an amount in an answer; null = the source gave none. */
export const amountDigits = <Name extends string>(
  holder: Record<Name, number | null>,
  name: Name,
): string | null => (holder[name] === null ? null : digitsOf(holder as Record<Name, number>, name));
