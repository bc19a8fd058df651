import { representatives } from '../../support/runner/representatives.js';

type Pass = readonly [pass: string, maxCachedWorkflows: number | undefined];

/**
 * The tests of a workflow run with workflows that stay in memory, and in long runs a second time
 * replayed at every task. Each file replays its finished histories in either.
 */
export const PASSES = representatives<Pass>(
  [
    ['with its cache', undefined],
    ['replayed at every task', 0],
  ],
  ([, maxCachedWorkflows]) => maxCachedWorkflows === undefined,
);
