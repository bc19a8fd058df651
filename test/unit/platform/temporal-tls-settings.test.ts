import { API, problemsOf } from './support/setting-problems.js';

describe('The TLS settings of Temporal', () => {
  const FILES = { cert: 'package.json', key: 'tsconfig.json' };

  it.each([
    [
      { TEMPORAL_TLS_CLIENT_CERT_PATH: FILES.cert },
      'TEMPORAL_TLS_CLIENT_KEY_PATH is missing: a client certificate needs its private key, and the reverse',
    ],
    [
      { TEMPORAL_TLS_CLIENT_KEY_DATA: 'canary' },
      'TEMPORAL_TLS_CLIENT_CERT_PATH is missing: a client certificate needs its private key, and the reverse',
    ],
    [
      { TEMPORAL_TLS_SERVER_CA_CERT_PATH: FILES.cert, TEMPORAL_TLS_SERVER_CA_CERT_DATA: 'canary' },
      'TEMPORAL_TLS_SERVER_CA_CERT_PATH and TEMPORAL_TLS_SERVER_CA_CERT_DATA are both set: keep one',
    ],
    [
      { TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/nothing' },
      'TEMPORAL_TLS_SERVER_CA_CERT_PATH names a file that cannot be read (ENOENT)',
    ],
    [{ TEMPORAL_TLS: 'yes' }, 'TEMPORAL_TLS must be one of true, false'],
    [
      { TEMPORAL_TLS: 'false', TEMPORAL_API_KEY: 'canary' },
      'TEMPORAL_TLS must not be false with TEMPORAL_API_KEY, which it would send in clear text, unless TEMPORAL_ADDRESS is a loopback address',
    ],
    [
      { TEMPORAL_TLS: 'false', TEMPORAL_TLS_SERVER_NAME: 'temporal' },
      'TEMPORAL_TLS must not be false beside settings of TLS: remove one or the other',
    ],
  ])('are refused as %j', (env, problem) => {
    expect(problemsOf({ ...API, ...env }, 'api')).toEqual([problem]);
  });

  it('allow an API key in clear text on loopback, where a proxy adds TLS', () => {
    const env = {
      TEMPORAL_ADDRESS: '127.0.0.1:7233',
      TEMPORAL_TLS: 'false',
      TEMPORAL_API_KEY: 'k',
    };
    expect(problemsOf({ ...API, ...env }, 'api')).toEqual([]);
  });
});
