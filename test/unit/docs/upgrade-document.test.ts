import { readFileSync } from 'node:fs';
import { WORKFLOW_VERSIONING } from '../../../workflows/versioning.js';

const PAGE = new URL('../../../docs/operating/upgrade.md', import.meta.url);

describe('docs/operating/upgrade.md', () => {
  it('has the behavior of each workflow under versioning, and its reason', () => {
    const rows = [
      ...readFileSync(PAGE, 'utf8').matchAll(/^\| `(\w+)` \| `([A-Z_]+)` \| (.+) \|$/gm),
    ];
    const documented = Object.fromEntries(
      rows.map(([, type, behavior, reason]) => [type, { behavior, reason }]),
    );
    expect(documented).toEqual(WORKFLOW_VERSIONING);
  });
});
