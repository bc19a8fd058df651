import { failureOfResponse } from '../../../../providers/simplefin/client/failure-table.js';
import { createSimplefinProvider } from '../../../../providers/simplefin/simplefin-adapter.js';
import { SIMPLEFIN_SETTINGS } from '../../../../providers/simplefin/settings.js';

describe('The failure table of SimpleFIN', () => {
  it.each([
    [302, 'malformed', 'malformed'],
    [400, 'invalid_credentials', 'internal'],
    [401, 'invalid_credentials', 'consent_expired'],
    [402, 'user_action_required', 'user_action_required'],
    [403, 'invalid_credentials', 'consent_expired'],
    [404, 'invalid_credentials', 'malformed'],
    [410, 'invalid_credentials', 'consent_expired'],
    [418, 'malformed', 'malformed'],
    [429, 'rate_limited', 'rate_limited'],
    [500, 'provider_down', 'provider_down'],
    [503, 'provider_down', 'provider_down'],
    [504, 'institution_timeout', 'institution_timeout'],
  ])('maps status %i to %s of a claim and %s on data', (status, claim, data) => {
    const response = { status, isPage: false };
    expect(failureOfResponse('claim', response).providerCause).toBe(claim);
    expect(failureOfResponse('data', response).providerCause).toBe(data);
    expect(failureOfResponse('info', response).providerCause).toBe(data);
  });

  it.each([200, 403, 503])(
    'attributes a page with status %i to a shield in front of the server',
    (status) => {
      for (const operation of ['claim', 'data'] as const)
        expect(failureOfResponse(operation, { status, isPage: true }).providerCause).toBe(
          'provider_down',
        );
    },
  );

  it('treats a page with status 429 as a limit, and reports the time to wait', () => {
    const failure = failureOfResponse('data', { status: 429, isPage: true, retryAfter: '30' });
    expect(failure).toMatchObject({ providerCause: 'rate_limited', retryAfterSeconds: 30 });
  });
});

describe('A SimpleFIN configuration', () => {
  const create = (settings: object, environment: 'sandbox' | 'live' = 'live') =>
    createSimplefinProvider({
      adapter: 'simplefin',
      name: 'simplefin',
      environment,
      settings: SIMPLEFIN_SETTINGS.public.parse(settings),
      secrets: {},
    });

  it('needs no settings, and requests tokens of the Bridge', async () => {
    const outcome = await create({}).begin({ remoteId: 'us' } as never);
    expect(outcome).toMatchObject({
      kind: 'step',
      step: { kind: 'form', help_url: 'https://bridge.simplefin.org/simplefin/create' },
    });
  });

  it.each([
    { server: 'https://user:password@bridge.simplefin.org/simplefin' },
    { server: 'https://bridge.simplefin.org/simplefin?x=1' },
    { server: 'http://bridge.example:4301/simplefin', hosts: ['bridge.example:4301'] },
  ])('with %j is refused in words', (settings) => {
    expect(() => create(settings)).toThrow(/server must be an https address of one of hosts/);
  });

  it('of Live must not allow this machine', () => {
    const settings = {
      server: 'http://127.0.0.1:4301/simplefin',
      hosts: ['127.0.0.1:4301'],
      allowLoopback: true,
    };
    expect(() => create(settings)).toThrow(/only for configurations of the Sandbox/);
    expect(() => create(settings, 'sandbox')).not.toThrow();
  });

  it.each([
    { server: 'https://other.example/simplefin' },
    { hosts: [] },
    { hosts: ['https://a.example'] },
    { hosts: ['A.example'] },
    { allowLoopback: 'perhaps' },
    { server: 'bridge' },
    { server: 'ftp://bridge.simplefin.org/simplefin' },
    { token: 'x' },
  ])('with the settings %j is refused', (settings) => {
    expect(SIMPLEFIN_SETTINGS.public.safeParse(settings).success).toBe(false);
  });
});
