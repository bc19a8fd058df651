import { generateKeyPairSync } from 'node:crypto';
import { manifestOf } from '../../../providers/manifests.js';
import { readAdapterSettings } from '../../../providers/read-settings.js';
import { TrialSource } from '../../support/fixtures/trial-adapter.js';

describe('The settings of an adapter', () => {
  it('are refused with every problem and without a value', () => {
    const { settings } = new TrialSource().adapter;
    const read = () =>
      readAdapterSettings(settings, {
        environment: 'live',
        settings: { retries: 9, adress: 'canary' },
        secrets: { api_key: 'canary' },
      });
    expect(read).toThrow(/The setting "retries": .*\nThe adapter has no setting "adress"/s);
    expect(read).toThrow('The secret "api_key": must have 16 characters');
    expect(read).not.toThrow('canary');
  });

  const bank = {
    remoteId: 'first',
    name: 'First Bank',
    country: 'US',
    issuer: 'https://auth.first.example',
    fdxBase: 'https://api.first.example/fdx/v6',
    clientId: 'client',
    clientAuthentication: 'client_secret_basic',
  };
  const endpoints = {
    authorization_endpoint: 'https://auth.first.example/authorize',
    token_endpoint: 'https://auth.first.example/token',
  };
  const application = {
    applicationId: 'cf589be3-3755-465b-a8df-a90a16a31403',
    redirectAddress: 'https://api.example/connect/oauth/callback',
  };
  it.each([
    ['simplefin', { allowLoopback: true }, 'allowLoopback'],
    ['simplefin', { server: 'https://10.1.2.3/simplefin', hosts: ['10.1.2.3'] }, 'server'],
    ['fdx', { institutions: [bank], allowLoopback: true }, 'allowLoopback'],
    ['fdx', { institutions: [{ ...bank, issuer: 'https://127.0.0.1' }] }, 'institutions.0.issuer'],
    [
      'fdx',
      { institutions: [{ ...bank, fdxBase: 'https://[fd00::1]/fdx' }] },
      'institutions.0.fdxBase',
    ],
    [
      'fdx',
      {
        institutions: [
          { ...bank, metadata: { ...endpoints, token_endpoint: 'https://169.254.169.254/token' } },
        ],
      },
      'institutions.0.metadata',
    ],
    [
      'fdx',
      {
        institutions: [
          {
            ...bank,
            metadata: {
              ...endpoints,
              mtls_endpoint_aliases: { token_endpoint: 'https://[::ffff:10.0.0.1]/token' },
            },
          },
        ],
      },
      'institutions.0.metadata',
    ],
    ['enable-banking', { ...application, apiAddress: 'https://192.168.0.9' }, 'apiAddress'],
    ['enable-banking', { ...application, apiAddress: 'https://localhost:8443' }, 'apiAddress'],
  ])('of %s with %j are refused for Live in words that name %s', (adapter, settings, name) => {
    const schemas = manifestOf(adapter)?.settings;
    if (schemas === undefined) throw new Error(`no adapter ${adapter}`);
    const secrets: Record<string, string> =
      adapter === 'enable-banking'
        ? {
            privateKey: generateKeyPairSync('rsa', { modulusLength: 2_048 })
              .privateKey.export({ type: 'pkcs8', format: 'pem' })
              .toString(),
          }
        : adapter === 'fdx'
          ? { clientSecret: 'secret' }
          : {};
    const read = (environment: 'live' | 'sandbox') =>
      readAdapterSettings(schemas, { environment, settings, secrets });
    expect(() => read('live')).toThrow(`The setting "${name}" `);
    expect(() => read('sandbox')).not.toThrow();
  });
});
