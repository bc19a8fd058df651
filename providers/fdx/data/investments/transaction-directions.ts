// cspell:ignoreRegExp /\b[A-Z]{4,}\b/g
import type { Decimal } from 'decimal.js';
import type { RemoteObject } from '../../../http/remote-object.js';
import { optionalWord } from '../optional-fields.js';
import type { PositionChange } from './transaction-quantity.js';
import type { Direction, TransactionRule } from './transaction-types.js';

/** The directions in which a row moves units and cash; null = none moves. */
export interface Directions {
  position: Direction | null;
  cash: Direction | null;
}

const MEMOS = { CREDIT: 'in', DEBIT: 'out', MEMO: 'none' } as const;
const TRANSFERS: Readonly<Record<string, Direction>> = { IN: 'in', OUT: 'out' };
/** The direction that ends a position. */
const CLOSING: Readonly<Record<string, Direction>> = { LONG: 'out', SHORT: 'in' };
const OPPOSITE: Readonly<Record<Direction, Direction>> = { in: 'out', out: 'in' };

/** The direction of cash that a row states; `none`: no money moves; null = it states nothing. */
export type Memo = Direction | 'none' | null;

export function memoOf(row: RemoteObject): Memo {
  const word = row.maybe('debitCreditMemo', (it) =>
    it.oneOf('debitCreditMemo', ['CREDIT', 'DEBIT', 'MEMO'] as const),
  );
  return word && MEMOS[word];
}

/**
 * A direction that the row states counts even if it contradicts the type. Amounts and units
 * without a sign have the direction of the type, which a correction in the other direction turns.
 */
export function directionsOf(
  row: RemoteObject,
  rule: TransactionRule,
  {
    memo: stated,
    change,
    sent,
    isCorrection,
  }: { memo: Memo; change: PositionChange | null; sent: Decimal | null; isCorrection: boolean },
): Directions {
  const memo = stated === 'none' ? null : stated;
  const transfer = wordIn(TRANSFERS, optionalWord(row, 'transferAction'));
  const isReversed =
    isCorrection && (contradicts(memo, rule.cash) || contradicts(change?.stated, rule.position));
  const turned = (direction: Direction): Direction =>
    isReversed ? OPPOSITE[direction] : direction;

  function position(): Direction | null {
    switch (rule.position) {
      case 'none':
        return change?.stated ?? null;
      case 'stated':
        return transfer ?? memo ?? change?.stated ?? 'in';
      case 'closing':
        return (
          wordIn(CLOSING, optionalWord(row, 'positionType')) ?? transfer ?? change?.stated ?? null
        );
      default:
        return change?.stated ?? turned(rule.position);
    }
  }

  function cash(): Direction | null {
    if (stated === 'none') return null;
    switch (rule.cash) {
      case 'none':
      case 'reinvested':
        return null;
      case 'stated':
        // A transfer of securities moves their value, and no money.
        if (rule.type === 'transfer' && change !== null) return null;
        return transfer ?? memo ?? (sent?.isNegative() === true ? 'out' : 'in');
      default:
        return memo ?? turned(rule.cash);
    }
  }
  return { position: position(), cash: cash() };
}

const contradicts = (stated: Direction | null | undefined, expected: string): boolean =>
  stated != null && (expected === 'in' || expected === 'out') && stated !== expected;

const wordIn = <T>(table: Readonly<Record<string, T>>, word: string | null): T | null =>
  word !== null && Object.hasOwn(table, word) ? (table[word] ?? null) : null;
