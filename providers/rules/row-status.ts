import { Unreadable } from '../http/read-scope.js';
import type { RemoteObject } from '../http/remote-object.js';

/** `none`: not a transaction (yet), or no longer. */
export type RowStatus = 'posted' | 'pending' | 'none';

// cspell:disable (beginnings of words)
/** By the beginning of a word, without its case, blanks and signs. The first match counts. */
const BY_WORD: readonly (readonly [RegExp, RowStatus])[] = [
  // Not yet: it may still change, or never happen.
  [/^(SCHD|SCHED|FUTR|FUTURE|PLAN|FORECAST|STANDINGORDER|DRAFT)/, 'none'],
  // It did not happen.
  [/^(RJCT|REJECT|DECLIN|CNCL|CANCEL|FAIL|VOID|EXPIRE|DELETE|DENIED|REFUSED)/, 'none'],
  // It happened, and is not booked.
  [/^(PDNG|PEND|HOLD|HELD|ONHOLD|MEMO|AUTH|PREAUTH|RESERV|PROVISION|PROCESSING|INPRO)/, 'pending'],
  [/^(NOT|NOTYET|UN)(BOOK|POST|SETTL|CLEAR)/, 'pending'],
  [/^(BOOK|POST|SETTL|CLEAR|COMPLET|DONE|FINAL|EXECUT)/, 'posted'],
];
// cspell:enable
const MAX_WORD = 200;

/**
 * The status of a row by its bank's word. Banks that state none list only posted rows, and they
 * invent words for posted rows: one that is not known means posted, and is noted.
 */
export function readStatus(row: RemoteObject, field: string): RowStatus {
  const known = row.maybe(field, (it) => {
    const letters = it
      .text(field, { max: MAX_WORD })
      .toUpperCase()
      .replace(/[^\p{L}]/gu, '');
    const [, status] = BY_WORD.find(([words]) => words.test(letters)) ?? [];
    if (status === undefined)
      throw new Unreadable('transaction', field, 'impossible', 'a known word');
    return status;
  });
  return known ?? 'posted';
}
