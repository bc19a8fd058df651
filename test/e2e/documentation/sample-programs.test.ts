import { randomUUID } from 'node:crypto';
import { documentProgram, pagesWithPrograms, runProgram } from './support/document-program.js';
import { AppBackEnd } from '../../support/actors/link-journey.js';
import { linkInstantBank } from '../../support/actors/link-instant-bank.js';
import { shareService, type SharedService } from '../../support/fixtures/shared-service.js';

let service: SharedService;
beforeAll(async () => {
  service = await shareService();
});

/** A link whose four products were fetched, as the pages assume. */
async function linkOf(userId: string): Promise<string> {
  const app = new AppBackEnd(service.info.base_url, service.app.sandbox);
  const settings = { prefetch: true };
  const { linkId } = await linkInstantBank(app, {
    customer_user: { id: userId },
    products_settings: { account_numbers: settings, identity: settings, transactions: settings },
  });
  for (const product of ['account_numbers', 'identity', 'transactions'])
    await app.untilRefreshed(linkId, product);
  return linkId;
}

const PAGES = pagesWithPrograms();

it('The pages errors, refresh, sandbox and sync have sample programs', () => {
  expect(PAGES).toEqual(['errors.md', 'refresh.md', 'sandbox.md', 'sync.md']);
});

it.each(PAGES)('The program of docs/%s prints the output the page shows', async (page) => {
  const { code, prints } = documentProgram(page);
  const userId = `reader ${randomUUID()}`;
  const { client_id: clientId, client_secret: clientSecret } = service.app.sandbox;
  const printed = await runProgram(code, {
    TRIBUTARY_URL: service.info.base_url,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    LINK_ID: await linkOf(userId),
    USER_ID: userId,
  });
  expect(prints).not.toBe('');
  expect(printed).toBe(prints);
});
