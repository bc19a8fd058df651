import { toMetadata } from '../../../../providers/fdx/client/discovery.js';

const BANK = { issuer: 'https://auth.first.example' };
const NEEDED = {
  authorization_endpoint: 'https://auth.first.example/auth',
  token_endpoint: 'https://auth.first.example/token',
};
const OPTIONAL = {
  pushed_authorization_request_endpoint: 'https://auth.first.example/par',
  revocation_endpoint: 'https://auth.first.example/revoke',
  authorization_response_iss_parameter_supported: true,
  require_pushed_authorization_requests: true,
  id_token_signing_alg_values_supported: ['PS256', 'ES256'],
  mtls_endpoint_aliases: { token_endpoint: 'https://mtls.first.example/token' },
};
const read = (members: object) => toMetadata({ ...BANK, ...members }, BANK, false);
const ODD: unknown[] = [null, '', 7, 'unexpected', {}, [], [null]];

describe('The discovery document of an FDX bank', () => {
  it.each(Object.keys(OPTIONAL).flatMap((name) => ODD.map((value) => [name, value] as const)))(
    'is read without its %s when that is %j, and with every other member',
    (name, value) => {
      const { [name]: odd, ...others } = {
        ...read({ ...NEEDED, ...OPTIONAL, [name]: value }),
      } as Record<string, unknown>;
      const { [name]: _, ...expected } = { ...NEEDED, ...OPTIONAL } as Record<string, unknown>;
      expect(others).toEqual(expected);
      expect([undefined, [], {}]).toContainEqual(odd);
    },
  );

  it('keeps the readable algorithms of its list', () => {
    const listed = ['PS256', null, { name: 'ES256' }, 'ES256'];
    const metadata = read({ ...NEEDED, id_token_signing_alg_values_supported: listed });
    expect(metadata.id_token_signing_alg_values_supported).toEqual(['PS256', 'ES256']);
  });

  it.each([
    ['another issuer', { ...NEEDED, issuer: 'https://other.example' }],
    ['no token endpoint', { ...NEEDED, token_endpoint: null }],
    ['an address without TLS', { ...NEEDED, revocation_endpoint: 'http://auth.first.example/' }],
  ])('is malformed with %s', (_what, members) => {
    expect(() => read(members)).toThrow(expect.objectContaining({ providerCause: 'malformed' }));
  });
});
