import { byAdapter, SOURCE_NAMES } from '../../support/adapters/by-adapter.js';
import type { UntidyFigures } from '../../support/proof/proof-page.js';
import type { ConformanceLogin, ConformanceTarget } from '../targets.js';
import { MUTATION_NAMES } from './mutations.js';
import { openUntidyAnswers, sampleOf, type Finding, type UntidyCase } from './untidy-answers.js';
import type { UntidySubject } from './untidy-subject.js';

const UNTIDY_SUBJECTS = await byAdapter<UntidySubject>('untidy', SOURCE_NAMES);

/** All values are tens of thousands of readings. */
const WITHIN_MS = { sample: 300_000, all: 3_600_000 };

/**
 * Tests that an adapter reads a response in which one value is untidy: a sample, or every value.
 */
export function describeUntidyAnswers(
  name: string,
  logins: readonly ConformanceLogin[],
  target: () => ConformanceTarget,
  extent: 'sample' | 'all' = 'sample',
): { figures?: UntidyFigures } {
  const shown: { figures?: UntidyFigures } = {};
  const subject = UNTIDY_SUBJECTS[name];
  if (subject === undefined) throw new Error(`${name} has no answers to change`);
  const remoteId = extent === 'all' ? (subject.long ?? subject.remoteId) : subject.remoteId;

  it(
    'loses only data that one untidy value of a response belongs to',
    async () => {
      const login = logins.find((it) => it.remoteId === remoteId);
      if (login === undefined) throw new Error(`no login at ${remoteId}`);
      const untidy = await openUntidyAnswers(target(), login, subject);
      try {
        const chosen = extent === 'all' ? untidy.cases : sampleOf(untidy.cases);
        const { findings, unneeded } = await untidy.run(chosen);
        expect(countEach(findings)).toEqual([]);
        if (extent === 'all') expect(unneeded).toEqual([]);
        shown.figures = {
          fields: untidy.fields.length,
          kinds: MUTATION_NAMES,
          exceptions: subject.exceptions,
        };
        expect(chosen.length).toBeGreaterThan(untidy.fields.length);
      } finally {
        await untidy.close();
      }
    },
    WITHIN_MS[extent],
  );
  return shown;
}

/** One line for each field and complaint, with the kinds of faults. */
function countEach(findings: readonly Finding[]): string[] {
  const groups = new Map<string, Set<UntidyCase['name']>>();
  for (const { field, operation, complaint, name } of findings) {
    const key = `${operation}: ${field}: ${complaint}`;
    groups.set(key, (groups.get(key) ?? new Set()).add(name));
  }
  return [...groups].map(([key, names]) => `${key} [${[...names].join(', ')}]`);
}
