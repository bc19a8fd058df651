import { readSettings, settingNames } from '../../../apps/platform/src/config/settings.js';
import { CALL_LIMITS } from '../../../domain/plaid/call-limits.js';
import {
  SETTING_TABLE,
  type SettingDefinition,
} from '../../../apps/platform/src/config/settings-table.js';
import { API, KEY, problemsOf } from './support/setting-problems.js';

describe('readSettings', () => {
  it('returns the documented defaults', () => {
    expect(readSettings(API, 'api')).toMatchObject({
      temporalNamespace: 'default',
      dataDir: '.tributary',
      baseUrl: 'http://127.0.0.1:4000',
      apiHost: '127.0.0.1',
      apiPort: 4000,
      connectBaseUrl: 'http://127.0.0.1:4000/connect',
      sandboxBankPort: 4100,
      metricsPort: 4001,
      workerMetricsPort: 4002,
      trustedProxies: [],
      sandboxBanksInLive: false,
      insecureBaseUrl: 'refuse',
      headerPrefix: 'service',
      accessTokenTtl: 3_600_000,
      linkSessionTtl: 1_800_000,
      connectIdle: 1_800_000,
      connectTotal: 3_600_000,
      oauthTtl: 900_000,
      exchangeWindow: 1_800_000,
      connectSoftReply: 15_000,
      refreshInterval: 21_600_000,
      refreshIntervalSlow: 604_800_000,
      refreshJitter: 0.15,
      aggregationTick: 60_000,
      aggregationShards: 1,
      refreshLimit: 3_600_000,
      refreshLimitSlow: 86_400_000,
      rateLimitApi: { perSecond: 20, burst: 100 },
      sandboxWorldsPerApp: 50,
      sandboxDaysAtWork: 732,
      webhookAttemptsPerApp: 200,
      rateLimitToken: { perSecond: 5, burst: 20 },
      rateLimitConnect: { perSecond: 5, burst: 30 },
      rateLimitCompat: CALL_LIMITS,
      fetchRetryFor: 7_200_000,
      fetchRetryForSandbox: 10_000,
      faultyAfter: 3,
      logLevel: 'info',
      logFormat: 'json',
      webhookAttemptsAt: [
        0, 5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 18_000_000, 36_000_000,
        86_400_000,
      ],
      webhookTimeout: 15_000,
      webhookAllowedPrivateRanges: [],
      webhookRefusedRanges: [],
      webhookEventRetention: 7_776_000_000,
      signingKeyRotation: 2_592_000_000,
      signingKeyOverlap: 86_400_000,
      signingKeyLead: 900_000,
    });
  });

  it('derives URLs from one another', () => {
    expect(readSettings({ ...API, API_PORT: '5000' }, 'api').connectBaseUrl).toBe(
      'http://127.0.0.1:5000/connect',
    );
    expect(readSettings({ ...API, BASE_URL: 'https://api.example/' }, 'api')).toMatchObject({
      baseUrl: 'https://api.example',
      connectBaseUrl: 'https://api.example/connect',
    });
  });

  it('reads master keys in their order', () => {
    const { masterKeys } = readSettings(
      { ...API, MASTER_KEYS: `new:${KEY}, old:${Buffer.alloc(32, 9).toString('base64')}` },
      'api',
    );
    expect(masterKeys.map(({ id }) => id)).toEqual(['new', 'old']);
    expect(masterKeys[1]?.key).toEqual(Buffer.alloc(32, 9));
  });

  it('reads address ranges of both families', () => {
    expect(
      readSettings({ ...API, WEBHOOK_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8, ::1/128' }, 'api')
        .webhookAllowedPrivateRanges,
    ).toEqual([
      { address: '127.0.0.0', prefix: 8, family: 'ipv4' },
      { address: '::1', prefix: 128, family: 'ipv6' },
    ]);
  });

  it('applies a shortened retry time to Sandbox links too', () => {
    expect(readSettings({ ...API, FETCH_RETRY_FOR: '3s' }, 'api')).toMatchObject({
      fetchRetryFor: 3_000,
      fetchRetryForSandbox: 3_000,
    });
  });

  it('treats an empty value as unset', () => {
    expect(readSettings({ ...API, API_PORT: '' }, 'api').apiPort).toBe(4000);
    expect(problemsOf({ ...API, MASTER_KEYS: ' ' }, 'api')).toEqual([
      expect.stringMatching(/^MASTER_KEYS is missing/),
    ]);
  });

  it('reports every wrong and missing setting at once', () => {
    const problems = problemsOf(
      { API_PORT: '70000', LINK_SESSION_TTL: 'soon', RATE_LIMIT_API: 'fast', LOG_LEVEL: 'loud' },
      'worker',
    );
    const names = problems.map((problem) => problem.split(' ')[0]);
    expect(new Set(names)).toEqual(
      new Set([
        'DATABASE_URL',
        'TEMPORAL_ADDRESS',
        'MASTER_KEYS',
        'API_PORT',
        'LINK_SESSION_TTL',
        'RATE_LIMIT_API',
        'LOG_LEVEL',
      ]),
    );
  });

  it.each([
    ['api', ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'MASTER_KEYS']],
    ['worker', ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'MASTER_KEYS']],
    ['webhooks', ['DATABASE_URL', 'MASTER_KEYS']],
    ['sandbox-bank', ['SANDBOX_BANK_DATABASE_URL', 'SANDBOX_BANK_SECRET']],
    ['migrate', ['DATABASE_URL']],
    ['standalone', []],
  ] as const)('requires for %s exactly %j', (process, names) => {
    expect(problemsOf({}, process).map((problem) => problem.split(' ')[0])).toEqual(names);
  });

  it('requires the secret of the sandbox bank for a worker that has its address', () => {
    const url = 'http://127.0.0.1:4101';
    const problems = problemsOf({ SANDBOX_BANK_URL: url }, 'worker');
    expect(problems.filter((problem) => problem.startsWith('SANDBOX'))).toEqual([
      expect.stringMatching(/^SANDBOX_BANK_SECRET is missing/),
    ]);
  });

  const TOKENS = {
    CODEC_JWKS_URL: 'https://login.example/keys',
    CODEC_ISSUER: 'https://login.example',
    CODEC_AUDIENCE: 'tributary-codec',
  };
  it.each([
    [{ CODEC_JWKS_URL: TOKENS.CODEC_JWKS_URL }, ['CODEC_ISSUER', 'CODEC_AUDIENCE']],
    [{ ...TOKENS, CODEC_JWKS_URL: '' }, ['CODEC_JWKS_URL']],
    [{ ...TOKENS, CODEC_AUTH: 'none' }, ['CODEC_AUTH']],
    [{ ...TOKENS, CODEC_JWKS_URL: 'http://login.example/keys' }, ['CODEC_JWKS_URL']],
    [{ CODEC_AUTH: 'off' }, ['CODEC_AUTH']],
    [{ CODEC_AUTH: 'none', CODEC_TOKEN_FILE: '/tmp/token' }, ['CODEC_AUTH']],
    [TOKENS, []],
    [{ CODEC_AUTH: 'none' }, []],
  ])('judges the settings of the codec together: %j', (env, names) => {
    const problems = problemsOf(env, 'api').filter((problem) => problem.startsWith('CODEC'));
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(names);
  });

  it.each([
    ['on', CALL_LIMITS],
    ['off', 'off'],
    ['RATE_LIMIT=100, ACCOUNTS_LIMIT=60', { ...CALL_LIMITS, RATE_LIMIT: 100, ACCOUNTS_LIMIT: 60 }],
  ])('reads the limits of the compatibility layer: %s', (text, limits) => {
    expect(readSettings({ ...API, RATE_LIMIT_COMPAT: text }, 'api').rateLimitCompat).toEqual(
      limits,
    );
  });

  it.each([
    'ON',
    'ACCOUNTS_LIMIT=0',
    'ACCOUNTS_LIMIT=-1',
    'CREDITS_EXHAUSTED=5',
    'ACCOUNTS_LIMIT',
    'toString=5',
  ])('refuses the limits %s', (text) => {
    expect(problemsOf({ ...API, RATE_LIMIT_COMPAT: text }, 'api')).toEqual([
      expect.stringContaining('RATE_LIMIT_COMPAT'),
    ]);
  });

  it.each(['k1:c2hvcnQ=', 'k1', `:${KEY}`, `k1:${KEY},k1:${KEY}`, `bad id:${KEY}`])(
    'refuses the master keys %#, without quoting them',
    (value) => {
      const [problem = ''] = problemsOf({ ...API, MASTER_KEYS: value }, 'api');
      expect(problem).toMatch(/^MASTER_KEYS must/);
      expect(problem).not.toContain(value);
    },
  );

  it('refuses a sandbox bank secret that is too short or cannot be sent, without quoting it', () => {
    for (const value of ['short', `${'x'.repeat(40)} y`, 'ü'.repeat(40)]) {
      const [problem = ''] = problemsOf({ ...API, SANDBOX_BANK_SECRET: value }, 'api');
      expect(problem).toMatch(/^SANDBOX_BANK_SECRET must have at least 32 printable characters/);
      expect(problem).not.toContain(value);
    }
  });

  it.each([
    ['WEBHOOK_ATTEMPTS_AT', '5s,10s'],
    ['WEBHOOK_ATTEMPTS_AT', '0s,10s,10s'],
    ['PERMISSION_NOTICES', '1d,7d'],
    ['PERMISSION_NOTICES', '1d,1d'],
    ['PERMISSION_NOTICES', 'soon'],
    ['TRUSTED_PROXIES', '10.0.0.0'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['BASE_URL', 'ftp://x'],
    ['BASE_URL', 'https://x/?a=1'],
    ['SANDBOX_BANK_PUBLIC_URL', 'https://x/bank'],
    ['SANDBOX_BANK_PUBLIC_URL', 'nowhere'],
    ['TEMPORAL_ADDRESS', 'localhost'],
    ['DATABASE_URL', 'mysql://x/y'],
    ['REFRESH_JITTER', '1'],
    ['HEADER_PREFIX', 'Bad Prefix'],
    ['SANDBOX_PROVIDER_NAME', 'import'],
    ['SANDBOX_PROVIDER_NAME', 'Bad Name'],
    ['SANDBOX_PROVIDER_NAME', 'a.b'],
    ['AGGREGATION_SHARDS', '0'],
    ['SANDBOX_BANKS_IN_LIVE', 'yes'],
    ['RATE_LIMIT_TOKEN', '0/s:1'],
    ['SANDBOX_BANK_DELAY_FACTOR', '2'],
  ])('refuses %s=%s', (name, value) => {
    expect(problemsOf({ ...API, [name]: value }, 'api')).toEqual([
      expect.stringMatching(new RegExp(`^${name} must`)),
    ]);
  });

  it.each([
    ['http://127.0.0.1:4000', true],
    ['http://localhost:4000', true],
    ['http://[::1]:4000', true],
    ['https://api.example', false],
    ['http://127.0.0.1.example', false],
    ['http://10.0.0.1', false],
  ])('allows the sandbox banks in Live with BASE_URL %s: %s', (BASE_URL, allowed) => {
    const problems = problemsOf(
      { ...API, BASE_URL, SANDBOX_BANKS_IN_LIVE: 'on', INSECURE_BASE_URL: 'allow' },
      'api',
    );
    expect(problems).toEqual(
      allowed ? [] : ['SANDBOX_BANKS_IN_LIVE must be off unless BASE_URL is a loopback address'],
    );
  });

  it.each([
    'api',
    'worker',
    'webhooks',
    'sandbox-bank',
    'standalone',
    'migrate',
    'operator',
  ] as const)('refuses public http URLs in %s and explains the choices', (process) => {
    const bank = {
      SANDBOX_BANK_SECRET: 's'.repeat(32),
      SANDBOX_BANK_DATABASE_URL: 'postgresql://bank@localhost/x',
    };
    const env = {
      ...API,
      ...bank,
      SANDBOX_BANK_URL: 'http://sandbox-bank:4101',
      BASE_URL: 'http://api.example',
      SANDBOX_BANK_PUBLIC_URL: 'HTTP://192.168.1.7:4100',
    };
    const sentence = (name: string) =>
      `${name} must be https unless it is a loopback address: put a proxy with TLS in front and name its address, or set INSECURE_BASE_URL=allow for development on a LAN`;
    expect(problemsOf(env, process)).toEqual([
      sentence('BASE_URL'),
      sentence('SANDBOX_BANK_PUBLIC_URL'),
    ]);
    expect(problemsOf({ ...env, INSECURE_BASE_URL: 'allow' }, process)).toEqual([]);
    expect(
      problemsOf(
        {
          ...env,
          BASE_URL: 'https://api.example',
          CONNECT_BASE_URL: 'http://connect.example',
          SANDBOX_BANK_PUBLIC_URL: '',
        },
        process,
      ),
    ).toEqual([sentence('CONNECT_BASE_URL')]);
  });

  it.each([
    'http://127.0.0.1:4000',
    'http://localhost:4000',
    'http://[::1]:4000',
    'http://127.9.9.9',
    'https://api.example',
    'HTTPS://10.0.0.1',
  ])('starts with BASE_URL %s', (BASE_URL) => {
    expect(problemsOf({ ...API, BASE_URL }, 'api')).toEqual([]);
  });
});

describe('The settings table', () => {
  it('documents every setting with a default that can be parsed', () => {
    for (const name of settingNames()) {
      const definition: SettingDefinition<unknown> = SETTING_TABLE[name];
      expect(definition.meaning).not.toBe('');
      expect(definition.default !== undefined && definition.requiredBy.length > 0).toBe(false);
    }
    expect(problemsOf({}, 'standalone')).toEqual([]);
  });
});
