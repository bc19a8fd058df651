import { readFileSync, writeFileSync } from 'node:fs';
import { manifestOf } from '../../providers/manifests.js';
import { ADAPTER_PROOFS } from '../support/proof/adapter-proofs.js';
import { keptRecordings } from '../support/proof/kept-recordings.js';
import { proofPage, type UntidyFigures } from '../support/proof/proof-page.js';
import { followPromises } from './kept-promises.js';
import type { ConformanceLogin } from './targets.js';
import { ruleTable } from './wire/rule-table.js';

/** If only some tests run, a page would lack the others. */
const itAfterAllTests = process.env['TEST_NAME_PATTERN'] === undefined ? it : it.skip;

/** Compares the `PROOF.md` of an adapter with the tests that the current group has defined. */
export function describeProof(
  adapter: string,
  logins: readonly ConformanceLogin[],
  untidy: { figures?: UntidyFigures },
): void {
  const kept = followPromises();
  const proof = ADAPTER_PROOFS[adapter];
  const title = manifestOf(adapter)?.title;
  if (proof === undefined || title === undefined)
    throw new Error(`nothing is known about the proof of ${adapter}`);

  itAfterAllTests(`has a PROOF.md that lists exactly the tests that ran and passed`, () => {
    expect([...kept.open]).toEqual([]);
    const page = proofPage({
      title,
      proof,
      recordings: keptRecordings(adapter),
      runs: kept.runs,
      institutions: logins.map(({ remoteId }) => remoteId),
      untidy: untidy.figures,
      rules: ruleTable(),
    });
    const file = new URL(`../../providers/${adapter}/PROOF.md`, import.meta.url);
    if (process.env['UPDATE_PROOF']) writeFileSync(file, page);
    expect(readFileSync(file, 'utf8')).toBe(page);
  });
}
