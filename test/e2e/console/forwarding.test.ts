import { randomUUID } from 'node:crypto';
import { withoutQueries } from '../../../apps/console-server/src/forwarding/without-queries.js';
import { consoleClientId } from '../../../prisma/tenants/applications/console-pair.js';
import { connectedLink } from '../../support/services/api-in-process.js';
import {
  ConsoleBrowser,
  startConsoleInProcess,
  type ConsoleInProcess,
} from './support/console-in-process.js';

const SANDBOX = '/as/pocket-ledger/sandbox';
const LIVE = '/as/pocket-ledger/live';

let console: ConsoleInProcess;
let browser: ConsoleBrowser;
let linkId: string;
beforeAll(async () => {
  console = await startConsoleInProcess();
  browser = await ConsoleBrowser.signedIn(console);
  linkId = await connectedLink(console.api, await console.api.token('pocket-ledger'), {
    webhook: 'https://app.example/hooks?secret=canary-in-query',
  });
});
afterAll(() => console?.close());

/** The newest rows of the record, the newest first. */
async function record(count: number): Promise<string[]> {
  const { rows } = await console.service.database.pool.query<Record<string, string>>(
    'SELECT actor, action, subject, outcome FROM operator_actions ORDER BY pk DESC LIMIT $1',
    [count],
  );
  return rows.map(({ actor, action, subject, outcome }) =>
    [actor, action, subject, outcome].join(' | '),
  );
}

describe('A call that the console forwards', () => {
  it('reads what the app reads by the public API, as the key pair "Console"', async () => {
    expect(await browser.get(`${SANDBOX}/links?limit=1`)).toMatchObject({
      status: 200,
      body: { links: [{ link_id: linkId }], next_cursor: '' },
    });
    const { rows } = await console.service.database.pool.query(
      'SELECT label, environment, (SELECT count(*)::int FROM client_secrets s WHERE s.client_id = c.client_id) AS secrets FROM api_clients c WHERE client_id = $1',
      [consoleClientId({ appId: 'pocket-ledger', environment: 'sandbox' })],
    );
    expect(rows).toEqual([{ label: 'Console', environment: 'sandbox', secrets: 0 }]);
  });

  it('has a tag, by which it answers 304 while nothing has changed', async () => {
    const first = await browser.get(`${SANDBOX}/links/${linkId}`);
    const tag = first.headers.get('etag') ?? '';
    expect(tag).not.toBe('');
    const again = await browser.get(`${SANDBOX}/links/${linkId}`, { 'if-none-match': tag });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('passes on the errors of the API, with their reasons', async () => {
    expect(await browser.get(`${SANDBOX}/links?limit=0`)).toMatchObject({
      status: 422,
      body: { error_code: 'api_error.request.validation_failed' },
    });
    expect((await browser.get(`${SANDBOX}/links/mk_unknown`)).status).toBe(404);
  });

  it('does not show the query of an address of the app, which may hold a secret', async () => {
    const answers = [
      await browser.get(`${SANDBOX}/links/${linkId}`),
      await browser.get(`${SANDBOX}/links`),
      await browser.get(`${SANDBOX}/webhooks/events`),
    ];
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).not.toContain('canary-in-query');
    }
  });

  it('changes what it names, and leaves the record that a command leaves', async () => {
    const answer = await browser.call('POST', `${SANDBOX}/links/${linkId}/products`, {
      products: ['transactions'],
    });
    expect(answer.status).toBeLessThan(300);
    const row = `link:ada | links refresh | ${linkId} --app pocket-ledger --environment sandbox`;
    expect(await record(2)).toEqual([`${row} | succeeded`, `${row} | started`]);
  });

  it('records a change that the API refused as failed, and passes on the refusal', async () => {
    const path = `${SANDBOX}/links/mk_unknown/products`;
    expect((await browser.call('POST', path, { products: ['transactions'] })).status).toBe(404);
    const row = 'link:ada | links refresh | mk_unknown --app pocket-ledger --environment sandbox';
    expect(await record(2)).toEqual([`${row} | failed`, `${row} | started`]);
  });

  it('creates no session for a new link in Live', async () => {
    expect(await browser.call('POST', `${LIVE}/link-session`, { settings: {} })).toMatchObject({
      status: 422,
      body: { error_code: 'console.repair_only', errors: [{ field: 'existing_link_id' }] },
    });
  });

  it('deletes in Live only what its person has typed', async () => {
    const path = `${LIVE}/links/mk_1`;
    const without = await browser.call('DELETE', path);
    const other = await browser.call('DELETE', path, undefined, { 'console-confirm': 'mk_2' });
    for (const { status, body } of [without, other])
      expect([status, body['error_code']]).toEqual([422, 'console.not_confirmed']);
    const typed = await browser.call('DELETE', path, undefined, { 'console-confirm': 'mk_1' });
    expect(typed.status).toBe(404);
    expect(typed.body['error_code']).not.toBe('console.not_found');
  });

  it('reaches nothing of the Sandbox in Live', async () => {
    for (const path of ['/sandbox/worlds', '/sandbox/institutions/x/faults'])
      expect((await browser.get(`${LIVE}${path}`)).status).toBe(404);
    expect((await browser.call('POST', `${LIVE}/links/mk_1/reset`, {})).status).toBe(404);
  });

  it('says who is asked when an operator has disabled the key pair of the console', async () => {
    const clientId = consoleClientId({ appId: 'rival', environment: 'sandbox' });
    expect((await browser.get('/as/rival/sandbox/links')).status).toBe(200);
    await console.service.applications.setDisabled(clientId, true);
    expect(await browser.get('/as/rival/sandbox/links')).toMatchObject({
      status: 409,
      body: { error_code: 'console.pair_disabled' },
    });
    await console.service.applications.setDisabled(clientId, false);
    expect((await browser.get('/as/rival/sandbox/links')).status).toBe(200);
  });

  it('shows no access token of the console in an answer or a log line', async () => {
    const { rows } = await console.service.database.pool.query<{ tokens: number }>(
      'SELECT count(*)::int AS tokens FROM access_tokens t JOIN api_clients c USING (client_id) WHERE c.label = $1',
      ['Console'],
    );
    expect(rows[0]?.tokens).toBeGreaterThan(0);
    expect(console.log()).not.toMatch(/Bearer|[\w-]{43}/);
  });
});

describe('An answer without the queries of addresses', () => {
  it('keeps the digits of every number, and every other text', () => {
    const id = randomUUID();
    const text = `{"amount":1234567890.123456789012345,"note":"https://x.example/?a=1","url":"https://x.example/h?k=${id}","webhook":"https://x.example/h","rows":[{"webhook":"http://y.example?z"}],"webhook_url":null}`;
    expect(withoutQueries(text)).toBe(
      '{"amount":1234567890.123456789012345,"note":"https://x.example/?a=1","url":"https://x.example/h?…","webhook":"https://x.example/h","rows":[{"webhook":"http://y.example?…"}],"webhook_url":null}',
    );
  });
});
