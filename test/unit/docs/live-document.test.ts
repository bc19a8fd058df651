import { readdirSync, readFileSync } from 'node:fs';
import { MANIFESTS } from '../../../providers/manifests.js';
import { ADAPTER_PROOFS } from '../../support/proof/adapter-proofs.js';
import { keptRecordings } from '../../support/proof/kept-recordings.js';

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const page = read('docs/live/README.md');

/** The last column of an adapter's row. */
function statedProof(adapter: string): string | undefined {
  const row = page.split('\n').find((line) => line.startsWith(`| [\`${adapter}\`](`));
  return row?.split('|').at(-2)?.trim();
}

describe('docs/live', () => {
  it('has a page for every adapter', () => {
    for (const { name } of MANIFESTS) expect(read(`docs/live/${name}.md`)).not.toBe('');
  });

  it('calls nothing supported that was not tried with its vendor', () => {
    for (const { name } of MANIFESTS) {
      if (keptRecordings(name).length > 0) continue;
      expect(read(`docs/live/${name}.md`)).toMatch(/not yet tried with/);
      for (const text of [read(`providers/${name}/PROOF.md`), statedProof(name)])
        expect(text).not.toMatch(/\bsupported\b/i);
    }
  });
});

describe('a counterpart that is called independent', () => {
  const independent = Object.values(ADAPTER_PROOFS)
    .flatMap(({ counterparts }) => counterparts)
    .filter(({ level }) => level === 3);

  it('is a package that our simulator imports', () => {
    expect(independent).not.toHaveLength(0);
    for (const { folder, package: name = 'no package' } of independent) {
      const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => read(`${folder}/${file}`));
      expect({ name, used: sources.some((text) => text.includes(` from '${name}'`)) }).toEqual({
        name,
        used: true,
      });
    }
  });

  it('is confirmed by tests that exist', () => {
    const tests = Object.values(ADAPTER_PROOFS).flatMap(({ confirmations }) => confirmations);
    for (const { what, test } of tests) {
      expect(what).toMatch(/\d+\.\d+/);
      expect(read(test)).toContain('describeWithPython');
    }
  });
});
