import { readFileSync } from 'node:fs';
import { buildPackages } from '../../../tools/build-packages.mjs';
import { shareService } from '../../support/fixtures/shared-service.js';
import { runProgram } from '../documentation/support/document-program.js';

const README = readFileSync('clients/node/README.md', 'utf8');

/** The samples before the section about webhooks, which are one program. */
const samples = () =>
  [...README.slice(0, README.indexOf('\n## Webhooks')).matchAll(/^```js\n([^]*?)^```$/gm)]
    .map(([, code = '']) => code)
    .join('')
    .replace('./sqlite-store.mjs', './examples/sync-stores-node/sqlite-store.mjs')
    .replace('transactions.db', ':memory:');

it('The samples in the README of @tributary/node run against a service', async () => {
  expect(await buildPackages({ quiet: true })).toBe(true);
  const { info, app } = await shareService();
  const printed = await runProgram(samples(), {
    TRIBUTARY_URL: info.base_url,
    CLIENT_ID: app.sandbox.client_id,
    CLIENT_SECRET: app.sandbox.client_secret,
  });
  const [, shown = ''] = /^```text\n([^]*?)^```$/m.exec(README) ?? [];
  expect(shown).not.toBe('');
  expect(printed).toContain(shown);
  expect(printed).toMatch(/^Everyday Checking \d+ USD$/m);
});
