import { APP_BOUNDS, type BoundName } from '../../../../domain/limits/app-bounds.js';
import { fileSettingOf } from '../../../../prisma/base/database/secret-files.js';
import {
  addressRanges,
  byteSizeFrom,
  callLimits,
  databaseUrl,
  duration,
  durationFrom,
  fallingDurations,
  fraction,
  fractionOrOne,
  headerPrefix,
  hostAndPort,
  httpAddress,
  httpOrigin,
  masterKeys,
  moment,
  oneOf,
  onOff,
  origins,
  port,
  rateLimit,
  readableFile,
  risingDurations,
  sandboxProviderName,
  sharedSecret,
  text,
  wholeNumber,
  type SettingParser,
} from './setting-parsers.js';

export type ProcessName =
  | 'api'
  | 'worker'
  | 'webhooks'
  | 'sandbox-bank'
  | 'standalone'
  | 'migrate'
  | 'operator'
  | 'console';

export interface SettingDefinition<T> {
  /** Text as in the environment; `{OTHER_NAME}` stands for the value of another setting. */
  default: string | undefined;
  meaning: string;
  parse: SettingParser<T>;
  requiredBy: readonly ProcessName[];
  /** The processes that receive it; missing: those of the core. Standalone reads every setting. */
  usedBy?: readonly ProcessName[];
  /** The value may also come from the file in NAME_FILE. */
  secret: boolean;
}

const CORE = ['api', 'worker', 'webhooks', 'operator'] as const satisfies readonly ProcessName[];
const BANK = ['sandbox-bank'] as const satisfies readonly ProcessName[];
const CONSOLE = ['console'] as const satisfies readonly ProcessName[];

const optional = <T>(parse: SettingParser<T>, meaning: string) =>
  ({ parse, meaning, default: undefined, requiredBy: [], secret: false }) as const;

const ofConsole = <T>(parse: SettingParser<T>, meaning: string) =>
  ({ ...optional(parse, meaning), usedBy: CONSOLE }) as const;

/** The webhooks process and the sandbox bank do not connect to Temporal. */
const temporal = <T>(parse: SettingParser<T>, meaning: string) =>
  ({ ...optional(parse, meaning), usedBy: ['api', 'worker', 'operator'] }) as const;

const codec = <T>(parse: SettingParser<T>, meaning: string) =>
  ({ ...optional(parse, meaning), usedBy: ['api'] }) as const;

const required = <T, const P extends ProcessName>(
  parse: SettingParser<T>,
  requiredBy: readonly P[],
  meaning: string,
) => ({ parse, meaning, default: undefined, requiredBy, secret: false }) as const;

const withDefault = <T>(parse: SettingParser<T>, value: string, meaning: string) =>
  ({ parse, meaning, default: value, requiredBy: [], secret: false }) as const;

/** A bound on the use of one app in one environment (domain/limits/app-bounds.ts). */
const bound = (value: string, meaning: string) =>
  withDefault(wholeNumber(0, 1_000_000_000_000_000), value, meaning);

const BOUND_SETTINGS = Object.fromEntries(
  Object.values(APP_BOUNDS).map(({ setting, default: value, meaning }) => [
    setting,
    bound(String(value), meaning),
  ]),
) as Record<(typeof APP_BOUNDS)[BoundName]['setting'], ReturnType<typeof bound>>;

/** Every setting of every process, in the groups of the documentation. */
export const SETTING_GROUPS = {
  'External parts': {
    DATABASE_URL: {
      ...required(
        databaseUrl,
        ['api', 'worker', 'webhooks', 'migrate', 'operator'],
        'Address of PostgreSQL. Standalone runs an embedded one if it is not set',
      ),
      usedBy: [...CORE, 'migrate'],
      secret: true,
    },
    SANDBOX_BANK_DATABASE_URL: {
      ...required(
        databaseUrl,
        BANK,
        'The same database for the sandbox bank, with a role of its own. `migrate` creates that role and its schema, without any other rights. Standalone creates it at its first start',
      ),
      usedBy: [...BANK, 'migrate'],
      secret: true,
    },
    TEMPORAL_ADDRESS: required(
      hostAndPort,
      ['api', 'worker'],
      'host:port of the Temporal server. Standalone runs a development server if it is not set',
    ),
    TEMPORAL_NAMESPACE: withDefault(text, 'default', 'Temporal namespace'),
    WORKER_VERSIONING: withDefault(
      onOff,
      'off',
      'Temporal assigns a worker only the work of its own build, once `temporal versions set-current` has named that build',
    ),
    TEMPORAL_API_KEY: {
      ...temporal(
        text,
        'API key of the Temporal server, as Temporal Cloud issues them. Turns TLS on',
      ),
      secret: true,
    },
    TEMPORAL_API_KEY_FILE: temporal(text, 'File with the API key, read again when it changes'),
    TEMPORAL_TLS: temporal(
      oneOf('true', 'false'),
      '`true` connects to the Temporal server with TLS. A certificate, CA, server name or API key does so, too',
    ),
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: temporal(
      readableFile,
      'File with the certificate, in PEM, of the CA that signed the certificate of the Temporal server; not set: the public CAs',
    ),
    TEMPORAL_TLS_SERVER_CA_CERT_DATA: temporal(text, 'The same as text'),
    TEMPORAL_TLS_SERVER_NAME: temporal(
      text,
      'Name in the certificate of the Temporal server, if it is not the host of TEMPORAL_ADDRESS',
    ),
    TEMPORAL_TLS_CLIENT_CERT_PATH: temporal(
      readableFile,
      'File with the client certificate, in PEM, for a Temporal server that requires one',
    ),
    TEMPORAL_TLS_CLIENT_CERT_DATA: temporal(text, 'The same as text'),
    TEMPORAL_TLS_CLIENT_KEY_PATH: temporal(
      readableFile,
      'File with the private key of the client certificate, in PEM',
    ),
    TEMPORAL_TLS_CLIENT_KEY_DATA: { ...temporal(text, 'The same as text'), secret: true },
    CODEC_PORT: codec(
      port,
      'Port of the codec server, which decodes payloads for the Temporal UI and CLI. Not set: there is none. Standalone: 4004 beside its own Temporal server',
    ),
    CODEC_HOST: {
      ...withDefault(text, '127.0.0.1', 'Address the codec server listens on'),
      usedBy: ['api'],
    },
    CODEC_ORIGINS: {
      ...withDefault(
        origins,
        '',
        'Origins of the Temporal UI whose pages may read the responses of the codec server. Empty: none. Standalone: its own UI',
      ),
      usedBy: ['api'],
    },
    CODEC_JWKS_URL: codec(
      httpAddress,
      "Key set of the issuer of operators' tokens: the codec server then requires a bearer token. Not set: it serves holders of the token in CODEC_TOKEN_FILE",
    ),
    CODEC_TOKEN_FILE: codec(
      text,
      'File with a token for callers on the same machine, created at the start for the account of the process alone. Without it and CODEC_JWKS_URL the codec server serves no one. Standalone: `codec-token` in DATA_DIR',
    ),
    CODEC_ISSUER: codec(text, '`iss` of those tokens'),
    CODEC_AUDIENCE: codec(text, '`aud` of those tokens'),
    CODEC_AUTH: {
      ...withDefault(
        oneOf('required', 'none'),
        'required',
        '`none` serves everyone who reaches the codec server, for a proxy in front that signs operators in',
      ),
      usedBy: ['api'],
    },
    WORKFLOW_PATCHES: {
      ...withDefault(
        onOff,
        'on',
        '`off`: workflows adopt none of the changes that this build has under `patched`, so that the previous build can continue them',
      ),
      usedBy: ['worker'],
    },
    TEMPORAL_CLI_PATH: {
      ...optional(
        text,
        'Path of a `temporal` binary for the embedded server; otherwise one is found on PATH, downloaded or built',
      ),
      usedBy: [],
    },
  },
  Standalone: {
    DATA_DIR: withDefault(
      text,
      '.tributary',
      'Folder with the state of the standalone service: databases, generated keys, `standalone.json`',
    ),
    EMBEDDED_POSTGRES_PORT: {
      ...withDefault(port, '4432', 'Port of the embedded PostgreSQL'),
      usedBy: [],
    },
    EMBEDDED_TEMPORAL_PORT: {
      ...withDefault(port, '7233', 'Port of the embedded Temporal server'),
      usedBy: [],
    },
    EMBEDDED_TEMPORAL_UI_PORT: {
      ...withDefault(port, '8233', 'Port of the web interface of the embedded Temporal server'),
      usedBy: [],
    },
  },
  'Addresses and ports': {
    API_HOST: withDefault(text, '127.0.0.1', 'Address the API listens on'),
    API_PORT: withDefault(port, '4000', 'Port of the API'),
    BASE_URL: withDefault(
      httpAddress,
      'http://127.0.0.1:{API_PORT}',
      'Public address of the API; also the `iss` of webhook signatures. https, unless it is loopback',
    ),
    INSECURE_BASE_URL: {
      ...withDefault(
        oneOf('refuse', 'allow'),
        'refuse',
        '`allow` accepts http for BASE_URL, CONNECT_BASE_URL and SANDBOX_BANK_PUBLIC_URL outside loopback: for development on a LAN',
      ),
      usedBy: [...CORE, ...BANK],
    },
    CONNECT_BASE_URL: withDefault(
      httpAddress,
      '{BASE_URL}/connect',
      'Address of the hosted Connect app',
    ),
    SANDBOX_BANK_PORT: {
      ...withDefault(port, '4100', 'Port of the sandbox bank for browsers and OAuth clients'),
      usedBy: ['worker', ...BANK],
    },
    SANDBOX_BANK_HOST: {
      ...withDefault(
        text,
        '127.0.0.1',
        'Address the sandbox bank listens on for browsers and OAuth clients',
      ),
      usedBy: BANK,
    },
    SANDBOX_BANK_CONTROL_PORT: {
      ...withDefault(
        port,
        '4101',
        'Port of the sandbox bank for the worker: every request there must carry SANDBOX_BANK_SECRET',
      ),
      usedBy: BANK,
    },
    SANDBOX_BANK_CONTROL_HOST: {
      ...withDefault(
        text,
        '127.0.0.1',
        'Address the sandbox bank listens on for the worker; never a public one',
      ),
      usedBy: BANK,
    },
    SANDBOX_BANK_URL: {
      ...optional(
        httpAddress,
        'Address of the sandbox bank as the worker reaches it: its control port. Not set: the sandbox banks are not served, the same for all workers. Standalone: its own',
      ),
      usedBy: ['worker'],
    },
    SANDBOX_BANK_PUBLIC_URL: {
      ...withDefault(
        httpOrigin,
        'http://127.0.0.1:{SANDBOX_BANK_PORT}',
        'Address of the sandbox bank as a browser reaches it, without a path; its OAuth issuer',
      ),
      usedBy: ['worker', ...BANK],
    },
    SANDBOX_BANK_NOW: {
      ...optional(
        moment,
        'Stops the clock of the sandbox bank at this time, ISO 8601; otherwise it follows real time',
      ),
      usedBy: BANK,
    },
    SANDBOX_BANK_DELAY_FACTOR: {
      ...withDefault(
        fractionOrOne,
        '1',
        'Multiplies every wait of the sandbox bank: slow logins, approvals, resends',
      ),
      usedBy: BANK,
    },
    METRICS_HOST: withDefault(
      text,
      '127.0.0.1',
      'Address the operator ports of API, worker and webhooks listen on; never a public one',
    ),
    METRICS_PORT: withDefault(port, '4001', 'Operator port of the API: metrics, health'),
    WORKER_METRICS_PORT: withDefault(port, '4002', 'Operator port of the worker: metrics, health'),
    WORKER_SDK_METRICS_PORT: {
      ...optional(
        port,
        'Operator port of the worker for metrics of the Temporal SDK; off unless set',
      ),
      usedBy: ['worker'],
    },
    WEBHOOKS_METRICS_PORT: withDefault(
      port,
      '4003',
      'Operator port of the webhooks process: metrics, health',
    ),
    TRUSTED_PROXIES: {
      ...withDefault(
        addressRanges,
        '',
        'CIDR blocks of proxies whose forwarded address is trusted',
      ),
      usedBy: [...CORE, ...BANK],
    },
  },
  Console: {
    CONSOLE: {
      ...withDefault(onOff, 'on', 'Standalone: `off` starts no console'),
      usedBy: CONSOLE,
    },
    CONSOLE_HOST: {
      ...withDefault(text, '127.0.0.1', 'Address the console listens on; never a public one'),
      usedBy: CONSOLE,
    },
    CONSOLE_PORT: { ...withDefault(port, '4200', 'Port of the console'), usedBy: CONSOLE },
    CONSOLE_BASE_URL: {
      ...withDefault(
        httpAddress,
        'http://127.0.0.1:{CONSOLE_PORT}',
        'Address at which browsers open the console. https, unless it is loopback',
      ),
      usedBy: [...CONSOLE, 'operator'],
    },
    CONSOLE_API_URL: {
      ...withDefault(httpAddress, '{BASE_URL}', 'Address at which the console reaches the API'),
      usedBy: CONSOLE,
    },
    CONSOLE_OIDC_ISSUER: ofConsole(
      httpAddress,
      'Issuer of an OpenID provider by which operators sign in. Not set: by one-time links alone',
    ),
    CONSOLE_OIDC_CLIENT_ID: ofConsole(text, 'Client id of the console at that provider'),
    CONSOLE_OIDC_CLIENT_SECRET: {
      ...ofConsole(text, 'Secret of the console at that provider'),
      secret: true,
    },
    CONSOLE_OIDC_ROLES_CLAIM: {
      ...withDefault(
        text,
        'roles',
        'Claim with the roles of a person: `operator` or `app:<app id>`, each with `:read` for reading alone',
      ),
      usedBy: CONSOLE,
    },
    TEMPORAL_UI_URL: ofConsole(
      httpAddress,
      'Address of the Temporal UI, to which the console leads. Standalone: its own',
    ),
    GRAFANA_URL: ofConsole(httpAddress, 'Address of Grafana, to which the console leads'),
  },
  Security: {
    MASTER_KEYS: {
      ...required(
        masterKeys,
        ['api', 'worker', 'webhooks', 'operator'],
        'Keys that seal stored secrets: `id:base64,…`, 32 bytes each, the first is current. Standalone creates one at its first start',
      ),
      secret: true,
    },
    SANDBOX_BANK_SECRET: {
      ...required(
        sharedSecret,
        BANK,
        'Secret shared by worker and sandbox bank, at least 32 characters: `openssl rand -hex 32`. The worker needs it with SANDBOX_BANK_URL. Standalone creates one at its first start',
      ),
      usedBy: ['worker', ...BANK],
      secret: true,
    },
    SANDBOX_BANKS_IN_LIVE: withDefault(
      onOff,
      'off',
      'Live key pairs also reach the sandbox banks, to test the rules of Live. Refused unless BASE_URL is loopback',
    ),
    ACCESS_TOKEN_TTL: withDefault(duration, '1h', 'Lifetime of an access token'),
    HEADER_PREFIX: withDefault(headerPrefix, 'service', "Prefix of the service's own header names"),
    SANDBOX_PROVIDER_NAME: withDefault(
      sandboxProviderName,
      'sandbox',
      'Name of the sandbox provider for apps, in every response and request. Neither `import` nor the name or adapter of a configured provider',
    ),
  },
  Linking: {
    LINK_SESSION_TTL: withDefault(duration, '30m', 'Lifetime of an unopened session'),
    CONNECT_IDLE: withDefault(
      duration,
      '30m',
      'An opened session ends this long after its last step',
    ),
    CONNECT_TOTAL: withDefault(
      duration,
      '60m',
      'An opened session ends this long after it was opened',
    ),
    CONNECT_SOFT_REPLY: withDefault(duration, '15s', 'A step that takes longer returns `wait`'),
    OAUTH_TTL: withDefault(duration, '15m', "Time for the round trip to a bank's own login page"),
    EXCHANGE_WINDOW: withDefault(
      duration,
      '30m',
      'Time to exchange the token of a finished session',
    ),
  },
  Refresh: {
    REFRESH_INTERVAL: withDefault(
      duration,
      '6h',
      'Time between scheduled refreshes of accounts and transactions',
    ),
    REFRESH_INTERVAL_SLOW: withDefault(
      duration,
      '7d',
      'Time between scheduled refreshes of identity and account numbers',
    ),
    REFRESH_JITTER: withDefault(fraction, '0.15', 'Fraction by which the intervals vary'),
    AGGREGATION_TICK: withDefault(duration, '1m', 'Time between collections of due links'),
    AGGREGATION_SHARDS: withDefault(
      wholeNumber(1, 1024),
      '1',
      'Number of schedules among which the due links are divided',
    ),
    REFRESH_LIMIT: withDefault(
      duration,
      '1h',
      'Time between requests of an app for accounts or transactions of one link',
    ),
    REFRESH_LIMIT_SLOW: withDefault(duration, '1d', 'The same for account numbers and identity'),
    FETCH_RETRY_FOR: withDefault(duration, '2h', 'Time for which one run retries a failing fetch'),
    FETCH_RETRY_FOR_SANDBOX: withDefault(
      duration,
      '10s',
      'The same for Sandbox links; FETCH_RETRY_FOR if only that is set',
    ),
    FAULTY_AFTER: withDefault(
      wholeNumber(1, 100),
      '3',
      'Failed runs in a row after which a link gets an error',
    ),
    PERMISSION_NOTICES: withDefault(
      fallingDurations,
      '7d,1d',
      'Times before the end of a permission at which `link.permission_expiring` is sent, or `off`',
    ),
  },
  'Sandbox bank': {
    SANDBOX_BANK_RETENTION: {
      ...withDefault(
        durationFrom('1d'),
        '90d',
        'Connections and worlds of the sandbox bank that are unused for this long are deleted, at least `1d`; logins and OAuth clients are deleted earlier',
      ),
      usedBy: BANK,
    },
  },
  'Overdue work': {
    SWEEP_INTERVAL: withDefault(
      duration,
      '1m',
      'Time between searches of the worker for overdue rows',
    ),
    OVERDUE_AFTER: withDefault(
      duration,
      '1m',
      'Delay after which a row counts as overdue. Workflows act in time; the sweep covers lost workflows',
    ),
    STALLED_AFTER: withDefault(
      duration,
      '1h',
      'Time without progress after which a run of a workflow is ended and its rows start it again. Time before the worker started does not count',
    ),
  },
  Webhooks: {
    WEBHOOK_ATTEMPTS_AT: withDefault(
      risingDurations,
      '0s,5s,30s,2m,10m,30m,1h,2h,5h,10h,24h',
      'Planned times of the attempts after the first',
    ),
    COMPAT_WEBHOOK_ATTEMPTS_AT: withDefault(
      risingDurations,
      '0s,30s,150s,630s,2550s,10230s,40950s',
      'The same for webhooks of the Plaid-compatible layer',
    ),
    WEBHOOK_TIMEOUT: withDefault(
      duration,
      '15s',
      'Time for one attempt; webhooks of the Plaid-compatible layer have 10 s',
    ),
    WEBHOOK_ALLOWED_PRIVATE_RANGES: withDefault(
      addressRanges,
      '',
      'Private CIDR blocks that may receive webhooks; the responses of such receivers are not stored. Standalone allows loopback unless this is set, while BASE_URL is loopback',
    ),
    WEBHOOK_REFUSED_RANGES: withDefault(
      addressRanges,
      '',
      'CIDR blocks that never receive webhooks, even if allowed elsewhere',
    ),
    WEBHOOK_EVENT_RETENTION: withDefault(duration, '90d', 'Retention of the event log'),
    SIGNING_KEY_ROTATION: withDefault(duration, '30d', 'Time between changes of the signing key'),
    SIGNING_KEY_OVERLAP: withDefault(
      duration,
      '24h',
      'Time for which the previous key stays published after the change',
    ),
    SIGNING_KEY_LEAD: withDefault(
      duration,
      '15m',
      'Time for which a new key is published before its first use',
    ),
  },
  Retention: {
    SESSION_RETENTION: withDefault(
      duration,
      '90d',
      'Retention of the record of a session after its end',
    ),
    HOLDING_DAYS_RETENTION: withDefault(
      duration,
      '731d',
      'Retention of every day of the history of holdings; of earlier ones, the last day of each month is kept with its link',
    ),
    USER_RETENTION: withDefault(
      duration,
      '400d',
      'Retention of a customer user without a session and without a link that was ever connected, and of the record of an erasure',
    ),
  },
  Limits: {
    UNOPENED_SESSIONS_PER_APP: withDefault(
      wholeNumber(1, 10_000_000),
      '10000',
      'Unopened sessions per app and environment; one more is refused with 429',
    ),
    RATE_LIMIT_API: withDefault(
      rateLimit,
      '20/s:100',
      'Calls per app and environment, `rate/s:burst`, or `off`',
    ),
    RATE_LIMIT_ANONYMOUS: withDefault(
      rateLimit,
      '200/s:3000',
      'Requests without a right token or key pair per address (IPv6: per /64), in each API process: files of Connect, documents, avatars, key sets, unknown paths. Behind a proxy, TRUSTED_PROXIES must name it',
    ),
    RATE_LIMIT_TOKEN: withDefault(
      rateLimit,
      '5/s:20',
      'Token calls with a valid key pair, per client and address',
    ),
    RATE_LIMIT_FAILED_AUTH: withDefault(
      rateLimit,
      '1/s:20',
      'Wrong key pairs per address (IPv6: per /64), in each API process. Behind a proxy, TRUSTED_PROXIES must name it',
    ),
    RATE_LIMIT_CONNECT: withDefault(rateLimit, '5/s:30', 'Connect calls per session'),
    RATE_LIMIT_PROVIDER_WEBHOOKS: withDefault(
      rateLimit,
      '50/s:500',
      'Webhooks of providers per configuration, in each API process',
    ),
    RATE_LIMIT_SANDBOX_BANK: {
      ...withDefault(
        rateLimit,
        '20/s:200',
        'Requests per address to the pages and the OAuth server of the sandbox bank',
      ),
      usedBy: BANK,
    },
    REQUEST_TIMEOUT: withDefault(
      duration,
      '30s',
      'Time in which a request to the API must arrive with its whole body; after it the response is 408 and the connection ends',
    ),
    STOP_DELAY: {
      ...withDefault(
        duration,
        '0s',
        'Time for which the API continues to serve after SIGTERM, while its readiness is 503 and its responses end their connections: longer than the load balancer in front needs to notice. Standalone: always `0s`',
      ),
      usedBy: ['api'],
    },
    MAX_CONNECTIONS: withDefault(
      wholeNumber(1, 1_000_000),
      '10000',
      'Connections an API process keeps open at once; further ones are closed',
    ),
    MAX_CONNECTIONS_PER_ADDRESS: withDefault(
      wholeNumber(1, 1_000_000),
      '2000',
      'The same per address (IPv6: per /64); connections from TRUSTED_PROXIES count only toward the total',
    ),
    MAX_BODIES: withDefault(
      byteSizeFrom('1MiB'),
      '256MiB',
      'Memory of an API process for bodies of authenticated requests in progress; further ones are refused with 503, unread',
    ),
    MAX_BODIES_PER_APP: withDefault(
      byteSizeFrom('1MiB'),
      '32MiB',
      'The same per app and environment',
    ),
    MAX_RESPONSES: withDefault(
      byteSizeFrom('1MiB'),
      '256MiB',
      'Memory of an API process for responses of more than 64 KiB that their callers have not read yet; further ones are refused with 503',
    ),
    MAX_RESPONSES_PER_APP: withDefault(
      byteSizeFrom('1MiB'),
      '32MiB',
      'The same per app and environment; an app without such a response always gets one',
    ),
    MAX_UNADMITTED_BODIES: withDefault(
      byteSizeFrom('1MiB'),
      '64MiB',
      'The same for bodies that contain the credentials, such as those of `/auth/token`, which anyone can send',
    ),
    MAX_UNADMITTED_BODIES_PER_ADDRESS: withDefault(
      byteSizeFrom('1MiB'),
      '4MiB',
      'The same per client address (IPv6: per /64). Behind a proxy, TRUSTED_PROXIES must name it',
    ),
    API_DATABASE_CONNECTIONS: withDefault(
      wholeNumber(5, 1_000),
      '20',
      'Database connections of the pool of an API process; 4 more are for frequent statements',
    ),
    WORKER_DATABASE_CONNECTIONS: withDefault(
      wholeNumber(5, 1_000),
      '20',
      'The same of a worker process',
    ),
    WEBHOOKS_DATABASE_CONNECTIONS: withDefault(
      wholeNumber(3, 1_000),
      '5',
      'The same of a webhooks process',
    ),
    DATABASE_CONNECTIONS_PER_APP: withDefault(
      wholeNumber(1, 998),
      '6',
      'Database connections that the calls of one app and environment may use at once, out of API_DATABASE_CONNECTIONS less 2; further calls wait up to 4 s',
    ),
    RATE_LIMIT_COMPAT_CLIENT: withDefault(
      rateLimit,
      '50/s:1000',
      'Calls of the compatibility layer per client, all calls together; `RATE_LIMIT_COMPAT=off` turns it off, too',
    ),
    RATE_LIMIT_COMPAT: withDefault(
      callLimits,
      'on',
      'Limits of the compatibility layer: `on`, `off`, or calls per minute that differ from the defaults, such as `ACCOUNTS_LIMIT=60,RATE_LIMIT=100`',
    ),
  },
  'Bounds of an app': BOUND_SETTINGS,
  Quotas: {
    SANDBOX_WORLDS_PER_APP: withDefault(
      wholeNumber(1, 10_000),
      '50',
      'Sandbox worlds per app, besides the default one',
    ),
    SANDBOX_DAYS_AT_WORK: withDefault(
      wholeNumber(366, 1_000_000),
      '732',
      'Simulated days in progress at the same time, over all worlds of one app',
    ),
    WEBHOOK_ATTEMPTS_PER_APP: withDefault(
      wholeNumber(16, 1_500),
      '200',
      'Webhook attempts in flight per app and environment: first attempts in one webhooks process, retries in one worker',
    ),
    WEBHOOK_RETRY_STARTS: withDefault(
      wholeNumber(1, 1_000),
      '50',
      'Retry workflows of webhooks that one webhooks process starts per second',
    ),
    WEBHOOK_RETRY_STARTS_PER_ENDPOINT: withDefault(
      wholeNumber(1, 1_000),
      '20',
      'The same per scheme, host and port of the receiver',
    ),
  },
  Logs: {
    LOG_LEVEL: {
      ...withDefault(
        oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
        'info',
        'Lowest level that is logged',
      ),
      usedBy: [...CORE, ...BANK],
    },
    LOG_FORMAT: {
      ...withDefault(
        oneOf('json', 'pretty'),
        'json',
        '`json`, or `pretty` for a terminal. Standalone: `pretty`',
      ),
      usedBy: [...CORE, ...BANK],
    },
  },
} as const satisfies Record<string, Record<string, SettingDefinition<unknown>>>;

type Groups = typeof SETTING_GROUPS;
type Flattened<G> = G extends unknown ? (value: G) => void : never;
type Intersection<U> = Flattened<U> extends (value: infer I) => void ? I : never;

/** name → definition, over all groups. */
export type SettingTable = Intersection<Groups[keyof Groups]>;

export const SETTING_TABLE = Object.assign({}, ...Object.values(SETTING_GROUPS)) as SettingTable;
export type SettingName = keyof SettingTable;

/** The settings of one process, out of the whole environment. */
export function settingsUsedBy(process: ProcessName): SettingName[] {
  const names = Object.keys(SETTING_TABLE) as SettingName[];
  return names.filter((name) => {
    const { usedBy = CORE }: SettingDefinition<unknown> = SETTING_TABLE[name];
    // The console does what the operator's program does.
    const isOperators = process === 'console' && usedBy.includes('operator');
    return process === 'standalone' || isOperators || usedBy.includes(process);
  });
}

/** The variables that a process receives: its settings, and the files of its secrets. */
export const variablesUsedBy = (process: ProcessName): string[] =>
  settingsUsedBy(process).flatMap((name) =>
    SETTING_TABLE[name].secret ? [name, fileSettingOf(name)] : [name],
  );
