import { once } from 'node:events';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';
import { createToken, type AccountSet } from './support/finance-app.js';
import { COFFEE, request as imported } from '../links/support/import-requests.js';
import { expectLoss } from '../../support/services/expect-loss.mjs';

/** The requests of an app that cannot run in a test, as its sources make them. */
interface RecordedApp {
  /** Its form of a setup token, decoded. */
  accepts: RegExp;
  claim: OutgoingHttpHeaders;
  read: OutgoingHttpHeaders;
  lists: string;
  rows: (accountId: string) => string;
}

const FIREFLY_AGENT = 'FF3-data-importer/2.0.5 (https://example.org, importer@example.org)';

const APPS: Record<string, RecordedApp> = {
  // firefly-iii/data-importer 0eb507de, app/Services/SimpleFIN: Guzzle, credentials in the address
  'Firefly III': {
    accepts: /^https?:\/\/.+\/simplefin\/claim\/.+$/,
    claim: { 'content-length': '0', 'user-agent': FIREFLY_AGENT },
    read: {
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': FIREFLY_AGENT,
    },
    lists: '?balances-only=1',
    rows: (accountId) => `?pending=1&start-date=0&account=${accountId}`,
  },
  // we-promise/sure 0172c42b, app/models/provider/simplefin.rb: HTTParty, no account in the query
  Sure: {
    accepts: /^https?:\/\//,
    claim: {
      'content-length': '0',
      'content-type': 'application/x-www-form-urlencoded',
      accept: '*/*',
      'accept-encoding': 'gzip;q=1.0,deflate;q=0.6,identity;q=0.3',
      'user-agent': 'Sure Finance SimpleFin Client',
    },
    read: {
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'Sure Finance SimpleFin Client',
    },
    lists: '',
    rows: () => '?start-date=1767225600&end-date=1775001600&pending=1',
  },
};

apiOfFile();

/** At the port of this service, whatever address the token names. */
async function send(
  method: string,
  address: string,
  headers: OutgoingHttpHeaders,
): Promise<{ status: number | undefined; body: string }> {
  const { pathname, search, username, password } = new URL(address);
  const sent = expectLoss(
    request(new URL(pathname + search, service.api.baseUrl), {
      method,
      headers,
      ...(username === '' ? {} : { auth: `${username}:${password}` }),
    }),
  ).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}

describe.each(Object.entries(APPS))('The requests of %s', (name, recorded) => {
  it('claim a setup token, list the accounts and read their rows', async () => {
    const customer_user = { id: `user of ${name}` };
    await service.api
      .as(token)
      .post('/links/import', { json: imported({ customer_user, transactions: [COFFEE] }) });
    const { setup_token: setupToken } = await createToken(service, token, customer_user.id);
    const claimAddress = Buffer.from(setupToken, 'base64').toString();
    expect(claimAddress).toMatch(recorded.accepts);
    const claimed = await send('POST', claimAddress, recorded.claim);
    expect(claimed.status).toBe(200);
    const accessUrl = claimed.body.trim();

    const read = async (query: string) => {
      const { status, body } = await send('GET', `${accessUrl}/accounts${query}`, recorded.read);
      expect(status).toBe(200);
      return JSON.parse(body) as AccountSet;
    };
    const { accounts } = await read(recorded.lists);
    const account = accounts.find(({ balance }) => balance === '2350.10');
    expect(account).toMatchObject({
      currency: 'USD',
      balance: '2350.10',
      org: { name: expect.any(String) },
    });
    const { accounts: withRows } = await read(recorded.rows(account?.id ?? ''));
    expect(withRows.flatMap(({ transactions }) => transactions)).toMatchObject([
      { amount: '-4.50', payee: 'Corner Cafe' },
    ]);

    // A second claim is refused, in the way that both explain to their users.
    expect((await send('POST', claimAddress, recorded.claim)).status).toBe(403);
  });
});
