import { createFdxBank } from '../../../simulators/vendors/fdx/create-fdx-bank.js';
import type { FdxBank } from '../../../simulators/vendors/fdx/fdx-bank.types.js';
import { Ledger } from '../../../simulators/vendors/ledger/ledger.js';
import { runScript } from '../../../simulators/vendors/ledger/scripts/run-script.js';
import { createFdxClient, type FdxClient } from '../../support/actors/fdx-client.js';

const INVALID_GRANT = { error: 'invalid_grant' };

describe('A permission at an FDX bank', () => {
  const ledger = new Ledger();
  let bank: FdxBank;

  beforeAll(async () => {
    bank = await createFdxBank({ ledger });
  });
  afterAll(() => bank.close());

  async function logIn(institution: string) {
    const client = await createFdxClient(bank, institution);
    const { access_token: accessToken, refresh_token: refreshToken = '' } = await client.logIn();
    return { client, accessToken, refreshToken };
  }
  const statusOf = async (client: FdxClient, token: string) =>
    (await client.get(token, '/accounts')).status;

  it('is renewed by a refresh token that works once where tokens rotate', async () => {
    const { client, refreshToken } = await logIn('first-fdx');
    const renewed = await client.refresh(refreshToken);
    expect(renewed.refresh_token).not.toBe(refreshToken);
    expect(await statusOf(client, renewed.access_token)).toBe(200);
    expect((await client.refresh(renewed.refresh_token ?? '')).token_type).toBe('dpop');
  });

  it('ends completely when a rotated refresh token is used a second time', async () => {
    const { client, accessToken, refreshToken } = await logIn('first-fdx');
    const renewed = await client.refresh(refreshToken);
    await expect(client.refresh(refreshToken)).rejects.toMatchObject(INVALID_GRANT);
    await expect(client.refresh(renewed.refresh_token ?? '')).rejects.toMatchObject(INVALID_GRANT);
    expect(await statusOf(client, renewed.access_token)).toBe(401);
    expect(await statusOf(client, accessToken)).toBe(401);
  });

  it('does not survive two refreshes at once where tokens rotate', async () => {
    const { client, refreshToken } = await logIn('first-fdx');
    const results = await Promise.allSettled([
      client.refresh(refreshToken),
      client.refresh(refreshToken),
    ]);
    const [winner] = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    );
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(await statusOf(client, winner?.access_token ?? '')).toBe(401);
    await expect(client.refresh(winner?.refresh_token ?? '')).rejects.toMatchObject(INVALID_GRANT);
  });

  it.each([
    ['first-fdx', 'ends'],
    ['plain-fdx', 'goes on'],
  ])(
    'at %s %s when the response of a renewal is lost and the client tries again',
    async (id, end) => {
      const { client, refreshToken } = await logIn(id);
      bank.loseTokenResponses(id, 1);
      await expect(client.refresh(refreshToken)).rejects.toThrow('fetch failed');
      const again = client.refresh(refreshToken);
      if (end === 'ends') await expect(again).rejects.toMatchObject(INVALID_GRANT);
      else expect(await statusOf(client, (await again).access_token)).toBe(200);
    },
  );

  it('keeps a refresh token valid where tokens do not rotate', async () => {
    const { client, refreshToken } = await logIn('plain-fdx');
    const first = await client.refresh(refreshToken);
    const second = await client.refresh(refreshToken);
    expect(await statusOf(client, first.access_token)).toBe(200);
    expect(await statusOf(client, second.access_token)).toBe(200);
  });

  it('can be renewed with another DPoP key, as it is bound to the client and not to the key', async () => {
    const { client, accessToken, refreshToken } = await logIn('first-fdx');
    const other = await createFdxClient(bank, 'first-fdx');
    expect(await statusOf(other, accessToken)).toBe(401);
    const renewed = await other.refresh(refreshToken);
    expect(await statusOf(other, renewed.access_token)).toBe(200);
    expect(await statusOf(client, renewed.access_token)).toBe(401);
  });

  it('outlives its access tokens', async () => {
    const { client, accessToken, refreshToken } = await logIn('first-fdx');
    bank.endAccessTokens();
    const { status, headers } = await client.get(accessToken, '/accounts');
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(await statusOf(client, (await client.refresh(refreshToken)).access_token)).toBe(200);
  });

  it('has access tokens that expire after the configured seconds', async () => {
    const brief = await createFdxBank({ ledger: new Ledger(), accessTokenSeconds: 1 });
    try {
      const client = await createFdxClient(brief, 'plain-fdx');
      const { access_token: token, expires_in: seconds } = await client.logIn();
      expect(seconds).toBe(1);
      let status = 200;
      for (let tries = 0; tries < 100 && status === 200; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        status = await statusOf(client, token);
      }
      expect(status).toBe(401);
    } finally {
      await brief.close();
    }
  });

  it.each(['first-fdx', 'mtls-fdx'])('ends at %s when its refresh token is revoked', async (id) => {
    const { client, accessToken, refreshToken } = await logIn(id);
    await client.revoke(refreshToken);
    await expect(client.refresh(refreshToken)).rejects.toMatchObject(INVALID_GRANT);
    expect(await statusOf(client, accessToken)).toBe(401);
  });

  it('cannot be revoked where there is no revocation endpoint', async () => {
    const { client, accessToken } = await logIn('plain-fdx');
    const response = await fetch(`${client.trial.issuer}/token/revocation`, { method: 'POST' });
    expect(response.status).toBe(404);
    expect(await statusOf(client, accessToken)).toBe(200);
  });

  it.each(['first-fdx', 'plain-fdx', 'mtls-fdx'])(
    'ends at %s with the script end_consent, and a new login starts another',
    async (id) => {
      const { client, accessToken, refreshToken } = await logIn(id);
      runScript(ledger, 'end_consent', { vendor: 'fdx', customer: 'trial' });
      expect(await statusOf(client, accessToken)).toBe(401);
      await expect(client.refresh(refreshToken)).rejects.toMatchObject(INVALID_GRANT);
      expect(await statusOf(client, (await client.logIn()).access_token)).toBe(200);
    },
  );

  it('is removed when the ledger is reset', async () => {
    const { client, accessToken, refreshToken } = await logIn('first-fdx');
    ledger.reset();
    expect(await statusOf(client, accessToken)).toBe(401);
    await expect(client.refresh(refreshToken)).rejects.toMatchObject(INVALID_GRANT);
  });
});
