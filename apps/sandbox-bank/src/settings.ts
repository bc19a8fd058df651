/** Settings of the process, read once at start. */
export interface SandboxBankSettings {
  host: string;
  /** 0 = any free port. */
  port: number;
  databaseUrl: string;
  /** Where a browser finds the bank, which is also its OAuth issuer; null = where it listens. */
  publicUrl: string | null;
  /** All waits of the bank (slow logins, approvals, resends) are multiplied by this: 0 makes it prompt. */
  delayFactor: number;
  /** Stops the clock of the default world at a moment; null = real time. */
  fixedNow: Date | null;
  logLevel: string;
  logFormat: 'json' | 'pretty';
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const LOG_FORMATS = ['json', 'pretty'] as const;

/** Reads and checks all settings; the error names every one that is missing or wrong. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): SandboxBankSettings {
  const problems: string[] = [];
  const value = (name: string, fallback: string): string => env[name]?.trim() || fallback;

  const port = Number(value('SANDBOX_BANK_PORT', '4100'));
  if (!Number.isInteger(port) || port < 0 || port > 65_535) problems.push('SANDBOX_BANK_PORT must be 0..65535');

  const databaseUrl = value('DATABASE_URL', '');
  if (databaseUrl === '') problems.push('DATABASE_URL is required');
  else if (!/^postgres(ql)?:\/\//.test(databaseUrl)) problems.push('DATABASE_URL must begin with postgresql://');

  const publicUrl = value('SANDBOX_BANK_PUBLIC_URL', '');
  if (publicUrl !== '' && !isOrigin(publicUrl)) problems.push('SANDBOX_BANK_PUBLIC_URL must be an http or https address without a path');

  const delayFactor = Number(value('SANDBOX_BANK_DELAY_FACTOR', '1'));
  if (!(delayFactor >= 0 && delayFactor <= 1)) problems.push('SANDBOX_BANK_DELAY_FACTOR must be 0..1');

  const now = value('SANDBOX_BANK_NOW', '');
  const fixedNow = now === '' ? null : new Date(now);
  if (fixedNow !== null && Number.isNaN(fixedNow.getTime())) problems.push('SANDBOX_BANK_NOW must be an ISO 8601 moment');

  const logLevel = value('LOG_LEVEL', 'info');
  if (!LOG_LEVELS.includes(logLevel)) problems.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`);

  const logFormat = LOG_FORMATS.find((format) => format === value('LOG_FORMAT', 'json'));
  if (logFormat === undefined) problems.push(`LOG_FORMAT must be one of ${LOG_FORMATS.join(', ')}`);

  if (problems.length > 0 || logFormat === undefined) {
    throw new Error(`The sandbox bank cannot start: ${problems.join('; ')}.`);
  }
  return {
    host: value('SANDBOX_BANK_HOST', '127.0.0.1'), port, databaseUrl,
    publicUrl: publicUrl === '' ? null : new URL(publicUrl).origin, delayFactor,
    fixedNow, logLevel, logFormat,
  };
}

function isOrigin(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, pathname, search, hash, username } = new URL(address);
  return ['http:', 'https:'].includes(protocol) && pathname === '/' && search === '' && hash === '' && username === '';
}
