import { ADAPTER_PROOFS } from '../../support/proof/adapter-proofs.js';
import {
  proofPage,
  proofSummary,
  type PromiseRun,
  type RuleTable,
} from '../../support/proof/proof-page.js';

const { fdx, simplefin } = ADAPTER_PROOFS;
const at = (institution: string, promise: string, outcome: PromiseRun['outcome'] = 'kept') => ({
  promise,
  institution,
  outcome,
});
const RUNS = [
  at('us', 'returns rows'),
  at('us', 'revokes'),
  at('us', 'renews', 'does not apply'),
  at('ca', 'returns rows'),
  at('ca', 'revokes', 'does not apply'),
  at('ca', 'renews', 'does not apply'),
];
const RULES: RuleTable = {
  adapters: ['SimpleFIN', 'FDX'],
  rows: [{ kind: 'words', inputs: ['one', 'other'], cells: ['It has no words.', 2] }],
};
const pageOf = (runs: readonly PromiseRun[]): string => {
  if (simplefin === undefined) throw new Error('no entry');
  return proofPage({
    title: 'SimpleFIN',
    proof: simplefin,
    recordings: [],
    runs,
    institutions: ['us', 'ca'],
    rules: RULES,
  });
};

describe('PROOF.md', () => {
  it('lists no promise whose test did not run and pass', () => {
    const text = pageOf(RUNS.filter(({ promise }) => promise !== 'returns rows'));
    expect(text).not.toContain('returns rows');
    expect(text).not.toBe(pageOf(RUNS));
  });

  it('shows each shared rule at each adapter, with the reason where a protocol has no input for it', () => {
    const text = pageOf(RUNS);
    expect(text).toContain('| Kind | SimpleFIN | FDX | Inputs |');
    expect(text).toContain('| words | none (a) | 2 | one; other |');
    expect(text).toContain('(a) It has no words.');
  });

  it('calls an adapter tried only once there is a recording, with its day', () => {
    if (fdx === undefined) throw new Error('no entry');
    expect(proofSummary(fdx, [])).toBe(
      'level 1 for data, level 3 for authorization: built, not yet tried with a bank',
    );
    const recording = { file: 'a.json', day: '2027-01-31', origin: 'https://sandbox.bank.example' };
    expect(proofSummary(fdx, [recording, { ...recording, day: '2026-12-31' }])).toBe(
      "level 4: tried with the vendor's sandbox on 2027-01-31",
    );
  });
});
