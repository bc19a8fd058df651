import { X509Certificate } from 'node:crypto';
import { createFdxBank } from '../../../simulators/vendors/fdx/create-fdx-bank.js';
import type { FdxBank } from '../../../simulators/vendors/fdx/fdx-bank.types.js';
import { Ledger } from '../../../simulators/vendors/ledger/ledger.js';
import { createFdxClient } from '../../support/actors/fdx-client.js';

describe('The test calls of the FDX banks', () => {
  let bank: FdxBank;

  beforeAll(async () => {
    bank = await createFdxBank({ ledger: new Ledger() });
  });
  afterAll(() => bank.close());

  const call = (method: string, path: string, body?: unknown) =>
    fetch(`${bank.url}/simulator/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it('returns everything that a client needs as trial values', async () => {
    const trial = (await (await call('GET', 'fdx/trial-values')).json()) as FdxBank['trial'];
    expect(trial).toEqual(bank.trial);
    expect(trial.institutions.map(({ id }) => id)).toEqual([
      'first-fdx',
      'meridian-fdx',
      'plain-fdx',
      'mtls-fdx',
      'wealth-fdx',
    ]);
    expect(trial.institutions[0]).toEqual({
      id: 'first-fdx',
      name: 'Harbour Federal Bank',
      domain: 'harbour.example',
      dpop: true,
      country: 'US',
      issuer: `${bank.url}/first-fdx`,
      resourceUrl: `${bank.url}/first-fdx/fdx/v6`,
      clientId: 'trial-client',
      clientAuthentication: 'private_key_jwt',
      clientSecret: null,
    });
  });

  it('issues client certificates, valid or expired', async () => {
    const issued = (await (await call('POST', 'fdx/certificates', { isExpired: true })).json()) as {
      certificate: string;
    };
    const certificate = new X509Certificate(issued.certificate);
    expect(new Date(certificate.validTo).getTime()).toBeLessThan(Date.now());
    expect(certificate.checkIssued(new X509Certificate(bank.trial.certificateAuthority))).toBe(
      true,
    );
  });

  it('registers another redirect address, expires access tokens and loses token responses', async () => {
    const redirectUri = 'https://tributary.example/connect/oauth/callback';
    const registered = await call('POST', 'fdx/client', {
      institution: 'wealth-fdx',
      redirectUris: [redirectUri],
    });
    expect(registered.status).toBe(200);
    const client = await createFdxClient(bank, 'wealth-fdx');
    const { access_token: token, refresh_token: refreshToken = '' } = await client.logIn({
      redirectUri,
    });
    expect((await call('POST', 'fdx/end-access-tokens')).status).toBe(204);
    expect((await client.get(token, '/accounts')).status).toBe(401);
    await call('POST', 'fdx/lose-token-responses', { institution: 'wealth-fdx' });
    await expect(client.refresh(refreshToken)).rejects.toThrow('fetch failed');
  });

  it('returns 400 with a reason for an unknown institution or a wrong body', async () => {
    const unknown = await call('POST', 'fdx/client', { institution: 'nowhere' });
    expect({ status: unknown.status, body: await unknown.json() }).toEqual({
      status: 400,
      body: { error: 'There is no institution nowhere.' },
    });
    expect((await call('POST', 'fdx/client', { redirectUris: 'x' })).status).toBe(400);
  });

  it('lists the calls that reached the banks on either port', async () => {
    await call('DELETE', 'requests');
    const client = await createFdxClient(bank, 'mtls-fdx');
    await client.logIn();
    const { requests } = (await (await call('GET', 'requests')).json()) as {
      requests: { method: string; path: string }[];
    };
    const calls = requests.map(({ method, path }) => `${method} ${path}`);
    expect(calls.filter((line) => line === 'POST /mtls-fdx/token')).toHaveLength(1);
    expect(calls).toContain('GET /mtls-fdx/.well-known/openid-configuration');
  });
});
