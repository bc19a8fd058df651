import { readFileSync } from 'node:fs';
import { ADAPTERS } from '../../../providers/adapters.js';

const page = readFileSync(new URL('../../../docs/live/README.md', import.meta.url), 'utf8');

describe('docs/live', () => {
  it('lists every adapter with its own page and its proof', () => {
    const rows = [...page.matchAll(/^\| \[`([\w-]+)`\]\(([\w-]+)\.md\) .*\| level [1-5]/gm)];
    expect(rows.map(([, adapter, file]) => [adapter, file]).sort()).toEqual(
      ADAPTERS.map(({ name }) => [name, name]).sort(),
    );
  });

  it('calls nothing supported that was not tried with its vendor', () => {
    for (const { name } of ADAPTERS) {
      const own = readFileSync(new URL(`../../../docs/live/${name}.md`, import.meta.url), 'utf8');
      expect(own).toMatch(/not yet tried with/);
    }
  });
});
