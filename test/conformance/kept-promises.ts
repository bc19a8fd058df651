import { getState, type State } from 'jest-circus';
import type { PromiseRun } from '../support/proof/proof-page.js';

type DescribeBlock = State['currentDescribeBlock'];

let applies = true;

/** Ends a test of a capability that the adapter, or one of its institutions, does not have. */
export function doesNotApply(): void {
  applies = false;
}

/** The outcomes of the promises of a group. */
export interface KeptPromises {
  /** The promises whose test passed, in their order. */
  runs: PromiseRun[];
  /** The promises whose test has not passed (yet). */
  open: Set<string>;
}

/**
 * Follows the tests that the current `describe` has defined so far. A group named `at <id>` belongs
 * to that institution.
 */
export function followPromises(): KeptPromises {
  const kept: KeptPromises = { runs: [], open: new Set() };
  follow(getState().currentDescribeBlock, [], null, kept);
  return kept;
}

function follow(
  block: DescribeBlock,
  groups: readonly string[],
  institution: string | null,
  kept: KeptPromises,
): void {
  for (const child of block.children) {
    if (child.type === 'describeBlock') {
      const [, id] = /^at (.+)$/.exec(child.name) ?? [];
      follow(child, id === undefined ? [...groups, child.name] : groups, id ?? institution, kept);
      continue;
    }
    const promise = [...groups, child.name].join(': ');
    const key = `${promise} (${institution ?? 'as a whole'})`;
    const work = child.fn as (() => unknown) | undefined;
    kept.open.add(key);
    child.fn = async () => {
      applies = true;
      await work?.();
      kept.runs.push({ promise, institution, outcome: applies ? 'kept' : 'does not apply' });
      kept.open.delete(key);
    };
  }
}
