import { createFdxBank } from '../../../simulators/vendors/fdx/create-fdx-bank.js';
import type { FdxBank } from '../../../simulators/vendors/fdx/fdx-bank.types.js';
import { Ledger } from '../../../simulators/vendors/ledger/ledger.js';
import { runScript } from '../../../simulators/vendors/ledger/scripts/run-script.js';
import { createFdxClient } from '../../support/actors/fdx-client.js';

const ROWS = '/accounts/trial-harbour-1/transactions';

describe('The FDX resource server', () => {
  const ledger = new Ledger();
  let bank: FdxBank;

  beforeAll(async () => {
    bank = await createFdxBank({ ledger });
  });
  beforeEach(() => ledger.reset());
  afterAll(() => bank.close());

  async function logIn(institution = 'first-fdx', scope?: string) {
    const client = await createFdxClient(bank, institution);
    const { access_token: token } = await client.logIn({ scope });
    const refusal = async (path: string) => {
      const { status, json } = await client.get(token, path);
      return [status, json.code, json.message];
    };
    return { client, token, refusal };
  }
  const call = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${bank.url}${path}`, { headers });

  it.each([
    ['no token', 'first-fdx', {}, /^DPoP algs="[^"]+"$/],
    ['no token', 'plain-fdx', {}, /^Bearer$/],
    [
      'an unknown token',
      'plain-fdx',
      { authorization: 'Bearer nonsense' },
      /^Bearer error="invalid_token"/,
    ],
    ['the wrong scheme', 'first-fdx', { authorization: 'Bearer nonsense' }, /^DPoP /],
  ])('returns 401 with a challenge for %s at %s', async (_, id, headers, challenge) => {
    const response = await call(`/${id}/fdx/v6/accounts`, headers);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(challenge);
    expect(String(((await response.json()) as { code: unknown }).code)).toBe('603');
  });

  it('returns 401 for a DPoP-bound token without a proof, and for a proof that is used again', async () => {
    const { client, token } = await logIn();
    const proofs: string[] = [];
    client.onRequest = (headers) => void proofs.push(headers['dpop'] ?? '');
    await client.get(token, '/accounts');
    for (const proof of [undefined, proofs[0]]) {
      const response = await call('/first-fdx/fdx/v6/accounts', {
        authorization: `DPoP ${token}`,
        ...(proof === undefined ? {} : { dpop: proof }),
      });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toContain('error="invalid_dpop_proof"');
    }
  });

  it('demands a nonce of its own in DPoP proofs at meridian-fdx', async () => {
    const { client, token } = await logIn('meridian-fdx');
    const nonces: unknown[] = [];
    client.onRequest = (headers) => {
      const proof = headers['dpop']?.split('.')[1] ?? '';
      nonces.push(JSON.parse(Buffer.from(proof, 'base64url').toString()).nonce);
    };
    // The client of the login knows a nonce of the authorization server, but none of this server.
    expect((await client.get(token, '/accounts')).status).toBe(200);
    expect(nonces).toHaveLength(2);
    expect(nonces[1]).toEqual(expect.any(String));
    expect(nonces[1]).not.toBe(nonces[0]);
  });

  it('returns 403 insufficient_scope for data that the client did not request', async () => {
    const { client, token } = await logIn('first-fdx', 'fdx:accountbasic:read');
    for (const [path, scope] of [
      ['/accounts/trial-harbour-1', 'fdx:accountdetailed:read'],
      [ROWS, 'fdx:transactions:read'],
      ['/accounts/trial-harbour-1/contact', 'fdx:customercontact:read'],
      ['/accounts/trial-harbour-1/payment-networks', 'fdx:paymentsupport:read'],
    ] as const) {
      const { status, json, headers } = await client.get(token, path);
      expect({ status, code: json.code }).toEqual({ status: 403, code: 602 });
      expect(headers.get('www-authenticate')).toBe(
        `DPoP error="insufficient_scope", scope="${scope}"`,
      );
    }
    expect((await client.get(token, '/customers/current')).json).toEqual({ customerId: 'trial' });
  });

  it('returns 404 and 701 for an unknown account, or 400 and a code as string at plain-fdx', async () => {
    const unknown = [404, 701, 'Account not found'];
    const { refusal } = await logIn();
    // The same holds for an existing account of someone else.
    for (const account of ['nothing', 'mover-meridian-1', '%25'])
      expect(await refusal(`/accounts/${account}`)).toEqual(unknown);
    const plain = await logIn('plain-fdx');
    expect(await plain.refusal('/accounts/nothing')).toEqual([400, '701', 'Account not found']);
  });

  it.each([
    ['startTime=yesterday', 702],
    ['endTime=2026-13-41', 702],
    ['startTime=2026-10-02&endTime=2026-10-01', 703],
    ['limit=0', 401],
    ['limit=many', 401],
    ['offset=nonsense', 401],
  ])('returns 400 for the query %s, with FDX code %i', async (query, code) => {
    const { client, token } = await logIn();
    const { status, json } = await client.get(token, `${ROWS}?${query}`);
    expect({ status, code: json.code }).toEqual({ status: 400, code });
  });

  it('returns 702 for a time of day at a bank that accepts days only', async () => {
    const query = 'transactions?startTime=2026-10-02T10:00:00Z';
    const plain = await logIn('plain-fdx');
    expect(await plain.refusal(`/accounts/trial-prairie-1/${query}`)).toEqual([
      400,
      '702',
      'Invalid start or end date',
    ]);
    const strict = await logIn('first-fdx');
    expect((await strict.refusal(`/accounts/trial-harbour-1/${query}`))[0]).toBe(200);
  });

  it('returns 503 while the bank is down, and 500 for an account that is down', async () => {
    const { client, token, refusal } = await logIn();
    runScript(ledger, 'bank_down', { bank: 'harbour' });
    expect(await refusal('/accounts')).toEqual([503, 503, 'Scheduled maintenance']);
    runScript(ledger, 'bank_up', { bank: 'harbour' });
    runScript(ledger, 'account_down', { account: 'trial-harbour-1' });
    expect(await refusal(ROWS)).toEqual([500, 501, 'Subsystem unavailable']);
    const { accounts } = (await client.get(token, '/accounts')).json;
    expect(accounts[0].error).toEqual({ code: 501, message: 'Subsystem unavailable' });
    expect((await refusal('/accounts/trial-harbour-2'))[0]).toBe(200);
  });

  it('returns 429 with the seconds to wait while a quota is used up', async () => {
    const { client, token } = await logIn();
    runScript(ledger, 'quota_hit', { vendor: 'fdx', customer: 'trial', seconds: 900 });
    const { status, json, headers } = await client.get(token, '/accounts');
    expect({ status, code: json.code }).toEqual({ status: 429, code: 1207 });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(600);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(900);
  });

  it('returns 404 for an unknown address and 405 for another method', async () => {
    const { refusal, token } = await logIn('plain-fdx');
    expect((await refusal('/statements')).slice(0, 2)).toEqual([404, '1107']);
    const response = await fetch(`${bank.url}/plain-fdx/fdx/v6/accounts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(405);
    expect((await call('/no-such-bank/fdx/v6/accounts')).status).toBe(404);
  });

  it('misbehaves as a test orders, for data, tokens and discovery', async () => {
    const { client } = await logIn('plain-fdx');
    for (const path of ['/plain-fdx/token', '/plain-fdx/.well-known/openid-configuration']) {
      bank.ledger.misbehaviors.order('status_500', 'fdx', { path });
      const method = path.endsWith('token') ? 'POST' : 'GET';
      expect((await fetch(`${bank.url}${path}`, { method })).status).toBe(500);
    }
    const { access_token: token } = await client.logIn();
    ledger.misbehaviors.order('broken_json', 'fdx', { path: '/plain-fdx/fdx/v6/accounts' });
    await expect(client.get(token, '/accounts')).rejects.toThrow(SyntaxError);
    expect((await client.get(token, '/accounts')).status).toBe(200);
  });

  it('repeats the interaction id of the request, or returns a new one', async () => {
    const response = await call('/first-fdx/fdx/v6/accounts', { 'x-fapi-interaction-id': 'abc' });
    expect(response.headers.get('x-fapi-interaction-id')).toBe('abc');
    const other = await call('/first-fdx/fdx/v6/accounts');
    expect(other.headers.get('x-fapi-interaction-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
