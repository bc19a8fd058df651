import { BlockList, isIP } from 'node:net';

export interface RateLimit {
  perSecond: number;
  burst: number;
}

/** Settings of the process, read once at start. */
export interface SandboxBankSettings {
  /** Where browsers and OAuth clients reach it. A port of 0 is any free one, here and below. */
  host: string;
  port: number;
  /** Where the worker reaches its API; never a public address. */
  controlHost: string;
  controlPort: number;
  /** The secret that every request to the API carries. */
  secret: string;
  databaseUrl: string;
  /** Where a browser finds the bank, also its OAuth issuer; null = the listening address. */
  publicUrl: string | null;
  /**
   * All delays of the bank (slow logins, approvals, resends) are multiplied by this: 0 removes
   * them.
   */
  delayFactor: number;
  /** Requests that one address may send to the pages and the OAuth server; null = without limit. */
  rateLimit: RateLimit | null;
  /** Proxies whose forwarded address is trusted: CIDR blocks. */
  trustedProxies: BlockList;
  /** Connections, clients and worlds that were not used for this long are deleted. */
  retentionMs: number;
  /** Stops the clock of the default world at a moment; null = real time. */
  fixedNow: Date | null;
  logLevel: string;
  logFormat: 'json' | 'pretty';
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const LOG_FORMATS = ['json', 'pretty'] as const;
const MIN_SECRET_LENGTH = 32;
const DAY_MS = 86_400_000;
const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: DAY_MS,
};

/** Reads and checks all settings; the error names every missing or wrong one. */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
): SandboxBankSettings {
  const problems: string[] = [];
  const value = (name: string, fallback: string): string => env[name]?.trim() || fallback;

  const portNamed = (name: string, fallback: string): number => {
    const port = Number(value(name, fallback));
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      problems.push(`${name} must be 0..65535`);
    return port;
  };
  const port = portNamed('SANDBOX_BANK_PORT', '4100');
  const controlPort = portNamed('SANDBOX_BANK_CONTROL_PORT', '4101');

  const secret = value('SANDBOX_BANK_SECRET', '');
  if (secret === '') problems.push('SANDBOX_BANK_SECRET is required: it is shared with the worker');
  else if (!/^[\x21-\x7e]+$/.test(secret) || secret.length < MIN_SECRET_LENGTH) {
    problems.push(
      `SANDBOX_BANK_SECRET must have at least ${MIN_SECRET_LENGTH} printable characters`,
    );
  }

  const databaseUrl = value('SANDBOX_BANK_DATABASE_URL', '');
  if (databaseUrl === '') problems.push('SANDBOX_BANK_DATABASE_URL is required');
  else if (!/^postgres(ql)?:\/\//.test(databaseUrl)) {
    problems.push('SANDBOX_BANK_DATABASE_URL must begin with postgresql://');
  }

  const publicUrl = value('SANDBOX_BANK_PUBLIC_URL', '');
  if (publicUrl !== '' && !isOrigin(publicUrl))
    problems.push('SANDBOX_BANK_PUBLIC_URL must be an http or https address without a path');

  const delayFactor = Number(value('SANDBOX_BANK_DELAY_FACTOR', '1'));
  if (!(delayFactor >= 0 && delayFactor <= 1))
    problems.push('SANDBOX_BANK_DELAY_FACTOR must be 0..1');

  const limit = value('RATE_LIMIT_SANDBOX_BANK', '20/s:200');
  const rateLimit = limit === 'off' ? null : parseRateLimit(limit);
  if (rateLimit === undefined)
    problems.push('RATE_LIMIT_SANDBOX_BANK must be like 20/s:200, or off');

  const trustedProxies = parseRanges(value('TRUSTED_PROXIES', ''));
  if (trustedProxies === undefined) problems.push('TRUSTED_PROXIES must be CIDR blocks');

  const retentionMs = parseDuration(value('SANDBOX_BANK_RETENTION', '90d'));
  if (retentionMs === undefined || retentionMs < DAY_MS) {
    problems.push('SANDBOX_BANK_RETENTION must be a duration like 90d, and at least 1d');
  }

  const now = value('SANDBOX_BANK_NOW', '');
  const fixedNow = now === '' ? null : new Date(now);
  if (fixedNow !== null && Number.isNaN(fixedNow.getTime()))
    problems.push('SANDBOX_BANK_NOW must be an ISO 8601 moment');

  const logLevel = value('LOG_LEVEL', 'info');
  if (!LOG_LEVELS.includes(logLevel))
    problems.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`);

  const logFormat = LOG_FORMATS.find((format) => format === value('LOG_FORMAT', 'json'));
  if (logFormat === undefined) problems.push(`LOG_FORMAT must be one of ${LOG_FORMATS.join(', ')}`);

  const isRead =
    logFormat !== undefined &&
    rateLimit !== undefined &&
    trustedProxies !== undefined &&
    retentionMs !== undefined;
  if (problems.length > 0 || !isRead) {
    throw new Error(`The sandbox bank cannot start: ${problems.join('; ')}.`);
  }
  return {
    host: value('SANDBOX_BANK_HOST', '127.0.0.1'),
    port,
    controlHost: value('SANDBOX_BANK_CONTROL_HOST', '127.0.0.1'),
    controlPort,
    secret,
    databaseUrl,
    rateLimit,
    trustedProxies,
    retentionMs,
    publicUrl: publicUrl === '' ? null : new URL(publicUrl).origin,
    delayFactor,
    fixedNow,
    logLevel,
    logFormat,
  };
}

function isOrigin(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, pathname, search, hash, username } = new URL(address);
  return (
    ['http:', 'https:'].includes(protocol) &&
    pathname === '/' &&
    search === '' &&
    hash === '' &&
    username === ''
  );
}

function parseRateLimit(text: string): RateLimit | undefined {
  const [, perSecond, burst] = /^([1-9]\d{0,6})\/s:([1-9]\d{0,6})$/.exec(text) ?? [];
  return perSecond === undefined
    ? undefined
    : { perSecond: Number(perSecond), burst: Number(burst) };
}

function parseDuration(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (UNITS_MS[unit] ?? 0);
}

function parseRanges(text: string): BlockList | undefined {
  const ranges = new BlockList();
  for (const block of text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')) {
    const [address = '', prefix = ''] = block.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const isBlock = isIP(address) !== 0 && /^\d{1,3}$/.test(prefix);
    if (!isBlock || Number(prefix) > (family === 'ipv6' ? 128 : 32)) return undefined;
    ranges.addSubnet(address, Number(prefix), family);
  }
  return ranges;
}
