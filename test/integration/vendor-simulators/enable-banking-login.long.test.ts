import { randomUUID } from 'node:crypto';
import { EnableBankingClient } from '../../support/actors/enable-banking-client.js';
import {
  startVendorSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';

const NOW = new Date('2026-11-25T10:00:00Z');
const MERIDIAN = { name: 'Meridian Bank', country: 'DE' };
const DAY_MS = 86_400_000;

describe('Logging in at the Enable Banking simulator', () => {
  let simulator: TestSimulator;
  let client: EnableBankingClient;
  beforeAll(async () => {
    simulator = await startVendorSimulator('enable-banking', { now: NOW });
    client = await EnableBankingClient.register(simulator.url, () => simulator.server.ledger.now());
  });
  afterAll(() => simulator.close());
  beforeEach(() => simulator.reset());

  const admin = (path: string, body: object) => simulator.post(`enable-banking/${path}`, body);
  const codeFor = async (customer = 'trial', aspsp = MERIDIAN): Promise<string> => {
    const state = randomUUID();
    await client.startAuthorization(aspsp, state);
    const { redirectTo = '' } = await admin('authorize', { state, customer });
    return new URL(redirectTo).searchParams.get('code') ?? '';
  };
  const exchange = (code: string) => client.call('/sessions', { method: 'POST', body: { code } });

  describe('tokens', () => {
    const applicationWith = async (token: string | null) => {
      const headers = token === null ? undefined : { authorization: `Bearer ${token}` };
      const response = await fetch(`${simulator.url}/application`, { headers });
      const { error } = (await response.json()) as { error?: string };
      return [response.status, error];
    };
    const at = NOW.getTime() / 1_000;

    it('are accepted when signed as documented, and name the application', async () => {
      const { status, json } = await client.call('/application');
      expect({
        status,
        kid: json['kid'],
        redirectUrls: json['redirect_urls'],
        active: json['active'],
      }).toEqual({
        status: 200,
        kid: client.id,
        redirectUrls: [EnableBankingClient.REDIRECT_URL],
        active: true,
      });
    });

    it.each([
      ['of another issuer', { iss: 'example.com' }],
      ['for another audience', { aud: 'example.com' }],
      ['that are expired', { iat: at - 7_200, exp: at - 3_600 }],
      ['from the future', { iat: at + 3_600_000, exp: at + 3_603_600 }],
      ['that live longer than a day', { iat: at, exp: at + 86_401 }],
    ])('%s are refused', async (_case, changes) => {
      expect(await applicationWith(await client.sign(changes))).toEqual([
        401,
        'UNAUTHORIZED_ACCESS',
      ]);
    });

    it('signed by another key, of an unknown application or missing are refused', async () => {
      const other = await EnableBankingClient.register(simulator.url, () => NOW);
      const refused = [401, 'UNAUTHORIZED_ACCESS'];
      expect(await applicationWith(await other.sign({}, client.id))).toEqual(refused);
      expect(await applicationWith(await client.sign({}, randomUUID()))).toEqual(refused);
      expect(await applicationWith(null)).toEqual([401, 'AUTHORIZATION_NOT_PROVIDED']);
    });
  });

  it('lists banks of four countries with BIC, by country when requested', async () => {
    const { json } = await client.call('/aspsps');
    const aspsps = json['aspsps'] as { country: string; bic: string }[];
    expect(aspsps.map(({ country }) => country)).toEqual(
      expect.arrayContaining(['DE', 'FR', 'FI', 'ES']),
    );
    expect(aspsps.every(({ bic }) => /^[A-Z]{6}[A-Z0-9]{5}$/.test(bic))).toBe(true);
    const finnish = await client.call('/aspsps?country=FI');
    expect(finnish.json['aspsps']).toMatchObject([
      { name: 'Saaristopankki', required_psu_headers: ['Psu-Ip-Address'] },
    ]);
    expect((await client.call('/aspsps?country=fi')).status).toBe(422);
  });

  it.each([
    [
      'an address that is not registered',
      { redirect_url: 'https://evil.example/' },
      'REDIRECT_URI_NOT_ALLOWED',
    ],
    [
      'an unknown bank',
      { aspsp: { name: 'Meridian Bank', country: 'FR' } },
      'WRONG_ASPSP_PROVIDED',
    ],
    [
      'a consent at its longest validity',
      { access: { valid_until: new Date(NOW.getTime() + 180 * DAY_MS).toISOString() } },
      'WRONG_REQUEST_PARAMETERS',
    ],
    [
      'an expired consent',
      { access: { valid_until: NOW.toISOString() } },
      'WRONG_REQUEST_PARAMETERS',
    ],
    [
      'a consent without an offset',
      { access: { valid_until: '2026-12-01T00:00:00' } },
      'WRONG_REQUEST_PARAMETERS',
    ],
    ['no state', { state: undefined }, 'WRONG_REQUEST_PARAMETERS'],
  ])('refuses to start with %s', async (_case, changes, error) => {
    const { status, json } = await client.startAuthorization(MERIDIAN, 's', changes);
    expect({ status, error: json['error'], code: json['code'] }).toEqual({
      status: 422,
      error,
      code: 422,
    });
  });

  it('starts a consent one second below the longest validity', async () => {
    const validUntil = new Date(NOW.getTime() + 180 * DAY_MS - 1_000).toISOString();
    const access = { valid_until: validUntil };
    expect((await client.startAuthorization(MERIDIAN, 's', { access })).status).toBe(200);
  });

  it('lets a customer accept on a page with plain forms, once, and returns code and state', async () => {
    const { json } = await client.startAuthorization(MERIDIAN, 'a state&more');
    const address = String(json['url']);
    const form = await (await fetch(address)).text();
    expect(form).toContain('<legend>Sign in as</legend>');
    const sessionid = new URL(address).searchParams.get('sessionid') ?? '';
    const submit = (decision: string) =>
      fetch(address.split('?')[0] ?? '', {
        method: 'POST',
        body: new URLSearchParams({ sessionid, customer: 'mover', decision }),
        redirect: 'manual',
      });
    const back = new URL((await submit('accept')).headers.get('location') ?? '');
    expect(`${back.origin}${back.pathname}`).toBe(EnableBankingClient.REDIRECT_URL);
    expect(back.searchParams.get('state')).toBe('a state&more');
    expect((await submit('accept')).status).toBe(404);
    expect((await fetch(address)).status).toBe(404);
    const session = await exchange(back.searchParams.get('code') ?? '');
    expect(session.json['accounts']).toHaveLength(3);
    expect((session.json['accounts'] as { name: string }[])[0]?.name).toBe('Maren Mover');
  });

  it('returns access_denied when the customer denies', async () => {
    await client.startAuthorization(MERIDIAN, 'denied');
    const { redirectTo = '' } = await admin('authorize', { state: 'denied', customer: null });
    const { searchParams } = new URL(redirectTo);
    expect({
      error: searchParams.get('error'),
      state: searchParams.get('state'),
      code: searchParams.get('code'),
    }).toEqual({ error: 'access_denied', state: 'denied', code: null });
  });

  it('exchanges a code once, in time, for the application that requested it', async () => {
    const code = await codeFor();
    expect((await exchange(code)).status).toBe(200);
    expect((await exchange(code)).json['error']).toBe('ALREADY_AUTHORIZED');
    expect((await exchange('unknown')).json['error']).toBe('WRONG_AUTHORIZATION_CODE');
    const late = await codeFor();
    const other = await EnableBankingClient.register(simulator.url, () => NOW);
    const stolen = await other.call('/sessions', { method: 'POST', body: { code: late } });
    expect(stolen.json['error']).toBe('WRONG_AUTHORIZATION_CODE');
    await simulator.advance(601);
    expect((await exchange(late)).json['error']).toBe('EXPIRED_AUTHORIZATION_CODE');
  });

  it('assigns accounts other uids in each session, and the same identification hashes', async () => {
    interface SessionAccount {
      uid: string;
      identification_hash: string;
    }
    const accountsOf = async () =>
      (await exchange(await codeFor())).json['accounts'] as SessionAccount[];
    const [first, second] = [await accountsOf(), await accountsOf()];
    const hashes = (accounts: SessionAccount[]) => accounts.map((a) => a.identification_hash);
    expect(hashes(second)).toEqual(hashes(first));
    expect(new Set(hashes(first)).size).toBe(3);
    expect(new Set([...first, ...second].map(({ uid }) => uid)).size).toBe(6);
  });

  it('returns no accounts for a customer who has none there', async () => {
    expect((await exchange(await codeFor('empty'))).json['accounts']).toEqual([]);
  });

  it('reads, closes, revokes and expires sessions', async () => {
    const sessionFor = async (): Promise<string> =>
      String((await exchange(await codeFor())).json['session_id']);
    const statusOf = async (id: string) => (await client.call(`/sessions/${id}`)).json['status'];
    const close = (id: string) => client.call(`/sessions/${id}`, { method: 'DELETE' });
    const closed = await sessionFor();
    expect(await statusOf(closed)).toBe('AUTHORIZED');
    expect((await close(closed)).json).toEqual({ message: 'OK' });
    expect(await statusOf(closed)).toBe('CLOSED');
    expect((await close(closed)).json['error']).toBe('CLOSED_SESSION');
    const revoked = await sessionFor();
    await simulator.script('end_consent', { vendor: 'enable-banking', customer: 'trial' });
    expect(await statusOf(revoked)).toBe('REVOKED');
    const expired = await sessionFor();
    expect(await statusOf(expired)).toBe('AUTHORIZED');
    await simulator.advance(30 * 86_400);
    expect(await statusOf(expired)).toBe('EXPIRED');
    expect((await close(expired)).json['error']).toBe('EXPIRED_SESSION');
    expect((await client.call(`/sessions/${randomUUID()}`)).json['error']).toBe(
      'SESSION_DOES_NOT_EXIST',
    );
  });

  it('returns an ordered error as often as ordered, where its path fits', async () => {
    await admin('error', { error: 'NO_ACCOUNTS_ADDED', path: '/sessions', times: 1 });
    const code = await codeFor();
    const refused = await exchange(code);
    expect({ status: refused.status, error: refused.json['error'] }).toEqual({
      status: 422,
      error: 'NO_ACCOUNTS_ADDED',
    });
    expect((await exchange(code)).status).toBe(200);
  });
});
