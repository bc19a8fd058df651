import { buildPackages } from '../../../tools/build-packages.mjs';
import { documentProgram, pagesWithPrograms, runProgram } from './support/document-program.js';
import { shareService, type SharedService } from '../../support/fixtures/shared-service.js';

let service: SharedService;
beforeAll(async () => {
  expect(await buildPackages({ quiet: true })).toBe(true);
  service = await shareService();
});

const PAGES = pagesWithPrograms();

it('The pages errors, refresh, sandbox, sync and webhooks have sample programs', () => {
  expect(PAGES).toEqual(['errors.md', 'refresh.md', 'sandbox.md', 'sync.md', 'webhooks.md']);
});

it.each(PAGES)('The program of docs/%s prints the output the page shows', async (page) => {
  const { code, prints } = documentProgram(page);
  const { client_id: clientId, client_secret: clientSecret } = service.app.sandbox;
  const printed = await runProgram(code, {
    TRIBUTARY_URL: service.info.base_url,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
  });
  expect(prints).not.toBe('');
  expect(printed).toBe(prints);
});
