import {
  addressRanges, callLimits, databaseUrl, duration, fraction, headerPrefix, hostAndPort, httpAddress, httpOrigin, masterKeys, oneOf, onOff, origins, port,
  rateLimit, risingDurations, text, wholeNumber, type SettingParser,
} from './setting-parsers.js';

export type ProcessName = 'api' | 'worker' | 'sandbox-bank' | 'standalone' | 'migrate' | 'cli';

export interface SettingDefinition<T> {
  /** In the words of the environment; `{OTHER_NAME}` stands for the value of another setting. */
  default: string | undefined;
  meaning: string;
  parse: SettingParser<T>;
  requiredBy: readonly ProcessName[];
  secret: boolean;
}

const optional = <T>(parse: SettingParser<T>, meaning: string) =>
  ({ parse, meaning, default: undefined, requiredBy: [], secret: false }) as const;

const required = <T, const P extends ProcessName>(parse: SettingParser<T>, requiredBy: readonly P[], meaning: string) =>
  ({ parse, meaning, default: undefined, requiredBy, secret: false }) as const;

const withDefault = <T>(parse: SettingParser<T>, value: string, meaning: string) =>
  ({ parse, meaning, default: value, requiredBy: [], secret: false }) as const;

/** Every setting of every process, in groups as the documentation shows them. */
export const SETTING_GROUPS = {
  'External parts': {
    DATABASE_URL: {
      ...required(databaseUrl, ['api', 'worker', 'sandbox-bank', 'migrate', 'cli'], 'Address of PostgreSQL. Standalone runs an embedded one when it is not set'),
      secret: true,
    },
    TEMPORAL_ADDRESS: required(hostAndPort, ['api', 'worker'], 'host:port of the Temporal server. Standalone runs a development server when it is not set'),
    TEMPORAL_NAMESPACE: withDefault(text, 'default', 'Temporal namespace'),
    CODEC_ORIGINS: withDefault(origins, '', 'Origins of the Temporal UI whose pages may decode payloads at the API\'s operator port, `/codec`. Empty: nobody. Standalone: its own UI'),
    TEMPORAL_CLI_PATH: optional(text, 'Path of a `temporal` binary for the embedded server; else one is found on PATH, downloaded or built'),
  },
  Standalone: {
    DATA_DIR: withDefault(text, '.tributary', 'Folder with the state of the standalone service: databases, generated keys, `standalone.json`'),
    EMBEDDED_POSTGRES_PORT: withDefault(port, '4432', 'Port of the embedded PostgreSQL'),
    EMBEDDED_TEMPORAL_PORT: withDefault(port, '7233', 'Port of the embedded Temporal server'),
    EMBEDDED_TEMPORAL_UI_PORT: withDefault(port, '8233', 'Port of the web interface of the embedded Temporal server'),
  },
  'Addresses and ports': {
    API_HOST: withDefault(text, '127.0.0.1', 'Address the API listens on'),
    API_PORT: withDefault(port, '4000', 'Port of the API'),
    BASE_URL: withDefault(httpAddress, 'http://127.0.0.1:{API_PORT}', 'Address of the API as its callers reach it; also the `iss` of webhook signatures'),
    CONNECT_BASE_URL: withDefault(httpAddress, '{BASE_URL}/connect', 'Address of the hosted Connect app'),
    SANDBOX_BANK_PORT: withDefault(port, '4100', 'Port of the sandbox bank'),
    SANDBOX_BANK_HOST: withDefault(text, '127.0.0.1', 'Address the sandbox bank listens on'),
    SANDBOX_BANK_URL: required(httpAddress, ['worker'], 'Address of the sandbox bank as the worker reaches it'),
    SANDBOX_BANK_PUBLIC_URL: withDefault(httpOrigin, 'http://127.0.0.1:{SANDBOX_BANK_PORT}', 'Address of the sandbox bank as a browser reaches it, without a path; its OAuth issuer'),
    SANDBOX_BANK_NOW: optional(text, 'Stops the clock of the sandbox bank at this moment, ISO 8601; else it follows real time'),
    METRICS_HOST: withDefault(text, '127.0.0.1', 'Address the operator ports of API and worker listen on; never a public one'),
    METRICS_PORT: withDefault(port, '4001', 'Operator port of the API: metrics, health, codec'),
    WORKER_METRICS_PORT: withDefault(port, '4002', 'Operator port of the worker: metrics, health'),
    TRUSTED_PROXIES: withDefault(addressRanges, '', 'CIDR blocks of proxies whose forwarded address is believed'),
  },
  Security: {
    MASTER_KEYS: {
      ...required(masterKeys, ['api', 'worker', 'cli'], 'Keys that seal stored secrets: `id:base64,…`, 32 bytes each, the first is current. Standalone makes one at its first start'),
      secret: true,
    },
    SANDBOX_BANKS_IN_LIVE: withDefault(onOff, 'off', 'Live key pairs also see the sandbox banks, to try Live rules. Refused unless BASE_URL is loopback'),
    ACCESS_TOKEN_TTL: withDefault(duration, '1h', 'Lifetime of an access token'),
    HEADER_PREFIX: withDefault(headerPrefix, 'service', 'First word of the service\'s own header names'),
  },
  Linking: {
    LINK_SESSION_TTL: withDefault(duration, '30m', 'Lifetime of a session nobody opened'),
    CONNECT_IDLE: withDefault(duration, '30m', 'An opened session ends this long after its last step'),
    CONNECT_TOTAL: withDefault(duration, '60m', 'An opened session ends this long after it was opened'),
    CONNECT_SOFT_REPLY: withDefault(duration, '15s', 'A step that takes longer answers `wait`'),
    OAUTH_TTL: withDefault(duration, '15m', 'Time for the round trip to a bank\'s own login page'),
    EXCHANGE_WINDOW: withDefault(duration, '30m', 'Time to exchange the token of a finished session'),
  },
  Refresh: {
    REFRESH_INTERVAL: withDefault(duration, '6h', 'Time between scheduled refreshes of accounts and transactions'),
    REFRESH_INTERVAL_SLOW: withDefault(duration, '7d', 'Time between scheduled refreshes of identity and account numbers'),
    REFRESH_JITTER: withDefault(fraction, '0.15', 'Share by which the intervals are varied'),
    AGGREGATION_TICK: withDefault(duration, '1m', 'How often due links are collected'),
    AGGREGATION_SHARDS: withDefault(wholeNumber(1, 1024), '1', 'Number of schedules that share the due links'),
    REFRESH_LIMIT: withDefault(duration, '1h', 'One requested refresh of accounts or transactions per link and product in this time'),
    REFRESH_LIMIT_SLOW: withDefault(duration, '1d', 'The same for account numbers and identity'),
    FETCH_RETRY_FOR: withDefault(duration, '2h', 'How long one run retries a failing fetch'),
    FETCH_RETRY_FOR_SANDBOX: withDefault(duration, '10s', 'The same for Sandbox links; FETCH_RETRY_FOR when only that is set'),
    FAULTY_AFTER: withDefault(wholeNumber(1, 100), '3', 'Failed runs in a row after which a link gets an error'),
  },
  'Overdue work': {
    SWEEP_INTERVAL: withDefault(duration, '1m', 'How often the worker looks for rows whose time passed without anybody acting on it'),
    OVERDUE_AFTER: withDefault(duration, '1m', 'How late such a row must be. Workflows act in time; this is for what they lost'),
  },
  Webhooks: {
    WEBHOOK_ATTEMPTS_AT: withDefault(risingDurations, '0s,5s,30s,2m,10m,30m,1h,2h,5h,10h,24h', 'Planned times of the attempts after the first'),
    COMPAT_WEBHOOK_ATTEMPTS_AT: withDefault(risingDurations, '0s,30s,150s,630s,2550s,10230s,40950s', 'The same for webhooks of the Plaid-compatible layer'),
    WEBHOOK_TIMEOUT: withDefault(duration, '15s', 'Time for one attempt; webhooks of the Plaid-compatible layer have 10 s'),
    WEBHOOK_ALLOWED_PRIVATE_RANGES: withDefault(addressRanges, '', 'CIDR blocks that may receive webhooks although they are private. Standalone allows loopback unless it is set'),
    WEBHOOK_EVENT_RETENTION: withDefault(duration, '90d', 'How long the event log is kept'),
    SIGNING_KEY_ROTATION: withDefault(duration, '30d', 'Time between changes of the signing key'),
    SIGNING_KEY_OVERLAP: withDefault(duration, '24h', 'The previous key stays published this long after the change'),
    SIGNING_KEY_LEAD: withDefault(duration, '15m', 'A new key is published this long before its first use'),
  },
  Retention: {
    SESSION_RETENTION: withDefault(duration, '90d', 'How long the record of a session is kept after its end'),
    USER_RETENTION: withDefault(duration, '400d', 'How long a customer user is kept who has neither a session nor a link that was ever connected, and the record of an erasure'),
  },
  Limits: {
    UNOPENED_SESSIONS_PER_APP: withDefault(wholeNumber(1, 10_000_000), '10000', 'Sessions of an app and environment that were not opened yet; one more is refused with 429'),
    RATE_LIMIT_API: withDefault(rateLimit, '20/s:100', 'Calls per app and environment, `rate/s:burst`, or `off`'),
    RATE_LIMIT_TOKEN: withDefault(rateLimit, '5/s:20', 'Token calls per client and address'),
    RATE_LIMIT_CONNECT: withDefault(rateLimit, '5/s:30', 'Connect calls per session'),
    RATE_LIMIT_COMPAT: withDefault(callLimits, 'on', 'Limits of the compatibility layer: `on`, `off`, or calls a minute that differ from the usual ones, like `ACCOUNTS_LIMIT=60,RATE_LIMIT=100`'),
  },
  Logs: {
    LOG_LEVEL: withDefault(oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info', 'Least important level that is logged'),
    LOG_FORMAT: withDefault(oneOf('json', 'pretty'), 'json', '`json`, or `pretty` for people. Standalone: `pretty`'),
  },
} as const satisfies Record<string, Record<string, SettingDefinition<unknown>>>;

type Groups = typeof SETTING_GROUPS;
type Flattened<G> = G extends unknown ? (value: G) => void : never;
type Intersection<U> = Flattened<U> extends (value: infer I) => void ? I : never;

/** name → definition, over all groups. */
export type SettingTable = Intersection<Groups[keyof Groups]>;

export const SETTING_TABLE = Object.assign({}, ...Object.values(SETTING_GROUPS)) as SettingTable;
export type SettingName = keyof SettingTable;
