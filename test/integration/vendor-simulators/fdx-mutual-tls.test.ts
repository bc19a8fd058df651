import { createFdxBank } from '../../../simulators/vendors/fdx/create-fdx-bank.js';
import type { FdxBank } from '../../../simulators/vendors/fdx/fdx-bank.types.js';
import { TRIAL_CERTIFICATE_SUBJECT } from '../../../simulators/vendors/fdx/trial-values.js';
import { Ledger } from '../../../simulators/vendors/ledger/ledger.js';
import { createFdxClient, type FdxClientOptions } from '../../support/actors/fdx-client.js';

describe('An FDX bank behind mutual TLS', () => {
  let bank: FdxBank;

  beforeAll(async () => {
    bank = await createFdxBank({ ledger: new Ledger() });
  });
  afterAll(() => bank.close());

  const clientWith = (certificate: FdxClientOptions['certificate']) =>
    createFdxClient(bank, 'mtls-fdx', { certificate });
  const issue = (order: { subject?: string; isExpired?: boolean } = {}) =>
    bank.certificates.issueForClient({ subject: TRIAL_CERTIFICATE_SUBJECT, ...order });

  it('accepts every certificate that its authority issued to the client', async () => {
    const client = await clientWith(await issue());
    const { access_token: token } = await client.logIn();
    expect((await client.get(token, '/accounts')).status).toBe(200);
  });

  it.each([
    ['no certificate', () => null, 'no client certificate was shown'],
    ['an expired certificate', () => issue({ isExpired: true }), 'CERT_HAS_EXPIRED'],
    ['a certificate for another name', () => issue({ subject: 'CN=other' }), 'subject'],
    [
      'a certificate of another authority',
      async () => {
        const other = await createFdxBank({ ledger: new Ledger() });
        await other.close();
        return other.certificates.issueForClient({ subject: TRIAL_CERTIFICATE_SUBJECT });
      },
      'CERT_SIGNATURE_FAILURE',
    ],
  ])('refuses a client with %s', async (_, certificate, reason) => {
    const client = await clientWith(await certificate());
    await expect(client.logIn()).rejects.toMatchObject({
      error: 'invalid_client',
      error_description: expect.stringContaining(reason),
    });
  });

  it('issues tokens that work only with the certificate of their login', async () => {
    const client = await clientWith(await issue());
    const { access_token: token } = await client.logIn();
    for (const certificate of [null, await issue()]) {
      const other = await clientWith(certificate);
      expect((await other.get(token, '/accounts')).status).toBe(401);
    }
  });

  it('lets a client renew a permission with its next certificate', async () => {
    const { refresh_token: refreshToken = '' } = await (await clientWith(await issue())).logIn();
    const renewing = await clientWith(await issue());
    const { access_token: token } = await renewing.refresh(refreshToken);
    expect((await renewing.get(token, '/accounts')).status).toBe(200);
  });

  it('refuses its tokens on the port without certificates', async () => {
    const client = await clientWith(await issue());
    const { access_token: token } = await client.logIn();
    const response = await fetch(`${bank.url}/mtls-fdx/fdx/v6/accounts`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(401);
  });

  it('keeps pages and discovery on the port that asks browsers for no certificate', async () => {
    const { config } = await clientWith(null);
    const metadata = config.serverMetadata();
    expect(metadata.authorization_endpoint).toBe(`${bank.url}/mtls-fdx/auth`);
    expect(metadata.mtls_endpoint_aliases?.token_endpoint).toBe(`${bank.mtlsUrl}/mtls-fdx/token`);
  });
});
