import { joinTexts, type Text } from './join-texts.js';
import { oldestFirst, type SearchedRow } from './recurring-row.js';
import type { StreamKey } from './stream.js';
import { wordsOf } from './weigh-words.js';

/** Rows of one account that have one counterparty, oldest first. */
export interface Party {
  key: StreamKey;
  rows: SearchedRow[];
}

interface KeyedText extends Text {
  key: StreamKey;
}

const ROWS_OF_A_STEP = 500;

/**
 * Groups the rows of one account by counterparty: by a reference that returns, else by texts that share most of the
 * words that distinguish them. Runs in steps.
 */
export function* groupByParty(rows: readonly SearchedRow[]): Generator<void, Party[]> {
  const byReference = new Map<string, Party>();
  const byText = new Map<string, KeyedText>();
  const returns = returningReferences(rows);
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_OF_A_STEP === 0) yield;
    const reference = returns(row);
    if (reference !== null) {
      const name = `${reference.key} ${reference.value}`;
      const party = byReference.get(name) ?? { key: reference.key, rows: [] };
      byReference.set(name, party);
      party.rows.push(row);
      continue;
    }
    const text = textOf(row);
    const name = `${text.space} ${text.words.join(' ')}`;
    const known = byText.get(name) ?? { ...text, rows: [] };
    byText.set(name, known);
    known.rows.push(row);
  }
  const joined = yield* joinTexts([...byText.values()]);
  const byWords = joined.map((one) => ({ key: one.text.key, rows: one.rows.sort(oldestFirst) }));
  return [...byReference.values(), ...byWords];
}

/** A reference in one row alone is that of an invoice. */
function returningReferences(rows: readonly SearchedRow[]) {
  const counts = new Map<string, number>();
  const candidates = (row: SearchedRow) =>
    [
      { key: 'mandate', value: row.mandate },
      { key: 'creditor_reference', value: row.creditorReference },
    ] as const;
  for (const row of rows)
    for (const { key, value } of candidates(row))
      if (value !== null) counts.set(`${key} ${value}`, (counts.get(`${key} ${value}`) ?? 0) + 1);
  return (row: SearchedRow) =>
    candidates(row).find(
      ({ key, value }) => value !== null && (counts.get(`${key} ${value}`) ?? 0) > 1,
    ) ?? null;
}

function textOf(row: SearchedRow): Omit<KeyedText, 'rows'> {
  if (row.counterpartyMask !== null)
    return {
      space: row.counterpartyMask,
      words: wordsOf(row.counterpartyName ?? ''),
      key: 'counterparty',
    };
  const name = row.merchantName ?? row.counterpartyName;
  return {
    space: '',
    words: wordsOf(name ?? row.description ?? ''),
    key: name === null ? 'text' : 'merchant',
  };
}
