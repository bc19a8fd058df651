import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { Reading } from './readings.js';

/** The criteria for a reading of an untidy response. */
export interface Expectation {
  truth: Reading;
  /** The accounts that contain the changed place; null if it belongs to no single account. */
  affected: ReadonlySet<string> | null;
  /** True if the response states, as a tidy one could, that the item or list is empty now. */
  isStatement: boolean;
  calls: number;
  maxCalls: number;
}

export interface Verdict {
  complaints: string[];
  /** True if only an entry in the table of exceptions could allow it. */
  takesScopeDown: boolean;
}

/** Judges the adapter's reading of a response in which one value is untidy. */
export function judgeReading(got: Reading, expected: Expectation): Verdict {
  const { calls, maxCalls } = expected;
  const complaints = [...got.problems];
  if (calls > maxCalls) complaints.push(`${calls} calls`);
  for (const { resource, field } of got.faults)
    if (!/^[\w.]{1,60}$/.test(resource) || !/^[\w.-]{0,60}$/.test(field))
      complaints.push('a fault that names a value');
  if (got.failure !== null) {
    if (!(got.failure instanceof ProviderFailure)) complaints.push(`throws ${String(got.failure)}`);
    else if (got.failure.providerCause === 'internal') complaints.push('blames us');
    return { complaints, takesScopeDown: true };
  }
  complaints.push(...changesOfOthers(got, expected));
  const lost = expected.isStatement ? [] : lostParts(got, expected);
  if (lost.length > 0) complaints.push(`loses ${lost.length} without a fault`);
  return { complaints, takesScopeDown: lost.length > 0 };
}

function changesOfOthers(got: Reading, { truth, affected }: Expectation): string[] {
  if (affected === null) return [];
  return [...truth.parts].flatMap(([account, parts]) =>
    affected.has(account) || textOf(parts) === textOf(got.parts.get(account))
      ? []
      : ['changes another account'],
  );
}

const textOf = (parts: ReadonlyMap<string, string> | undefined): string =>
  JSON.stringify([...(parts ?? [])].sort(([one], [other]) => (one < other ? -1 : 1)));

/**
 * The parts that the core would consider gone. A part that returned under another id is not gone,
 * unless it belongs to an account that no link has.
 */
function lostParts(got: Reading, { truth }: Expectation): string[] {
  const unreadable = got.faults.filter(({ scope }) => scope !== 'value');
  const named = new Set(unreadable.map(({ account }) => account));
  const missing = [...truth.parts].flatMap(([account, parts]) => {
    const its = got.parts.get(account);
    if (named.has(account) || got.unreported.has(account)) return [];
    // Of an unknown account: the core keeps the missing data of any account.
    if (named.has(null)) return [];
    return [...parts].flatMap(([id, text]) => (its?.has(id) || !isCovered(text, got) ? [] : [id]));
  });
  const added = [...got.parts].flatMap(([account, parts]) => {
    const its = truth.parts.get(account);
    return its === undefined && !parts.has('account')
      ? []
      : [...parts.keys()].filter((id) => its?.has(id) !== true);
  });
  return missing.slice(added.length);
}

function isCovered(text: string, { covered }: Reading): boolean {
  const { date } = JSON.parse(text) as { date?: string };
  if (date === undefined) return true;
  return covered !== null && date >= covered.from && date <= covered.to;
}
