import { readSecret } from '../../../../prisma/base/database/secret-files.js';
import { codecProblems } from './codec-problems.js';
import { isLoopback } from './loopback.js';
import {
  SETTING_TABLE,
  type ProcessName,
  type SettingDefinition,
  type SettingName,
  type SettingTable,
} from './settings-table.js';
import { temporalTlsProblems } from './temporal-tls-problems.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;

type Value<Name extends SettingName, Process extends ProcessName> =
  | ReturnType<SettingTable[Name]['parse']>
  | (SettingTable[Name]['default'] extends string
      ? never
      : [Process] extends [SettingTable[Name]['requiredBy'][number]]
        ? never
        : undefined);

/** The settings of one process; required ones are never undefined. Durations are in milliseconds. */
export type SettingsOf<Process extends ProcessName> = {
  readonly [Name in SettingName as CamelCase<Name>]: Value<Name, Process>;
};

export type ApiSettings = SettingsOf<'api'>;
export type WorkerSettings = SettingsOf<'worker'>;
export type WebhookSettings = SettingsOf<'webhooks'>;
/** Settings of every process. */
export type Settings = SettingsOf<ProcessName>;

/** Lists every invalid or missing setting; never quotes a value, since some are secrets. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(readonly problems: readonly string[]) {
    super(
      `Cannot start, ${problems.length === 1 ? 'a setting is' : `${problems.length} settings are`} wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
  }
}

/** Reads all settings once from the environment. @throws SettingsError */
export function readSettings<Process extends ProcessName>(
  env: Environment,
  process: Process,
): SettingsOf<Process> {
  const problems: string[] = [];
  const settings: Record<string, unknown> = {};
  for (const name of settingNames()) {
    const definition: SettingDefinition<unknown> = SETTING_TABLE[name];
    const text = settingTextOrProblem(env, name, problems);
    if (text === null) continue;
    if (text === undefined) {
      if (definition.requiredBy.includes(process))
        problems.push(`${name} is missing: ${definition.meaning}`);
      settings[camelCase(name)] = undefined;
      continue;
    }
    try {
      settings[camelCase(name)] = definition.parse(text);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // A default is invalid only because of a setting it refers to, which is reported itself.
      if (SETTING_TABLE[name].secret || isGiven(env, name))
        problems.push(`${name} ${error.message}`);
    }
  }
  if (settings['sandboxBanksInLive'] === true && !isLoopback(String(settings['baseUrl']))) {
    problems.push('SANDBOX_BANKS_IN_LIVE must be off unless BASE_URL is a loopback address');
  }
  if (
    process === 'worker' &&
    settings['sandboxBankUrl'] !== undefined &&
    settings['sandboxBankSecret'] === undefined
  )
    problems.push(`SANDBOX_BANK_SECRET is missing: ${SETTING_TABLE.SANDBOX_BANK_SECRET.meaning}`);
  problems.push(...temporalTlsProblems(settings), ...codecProblems(settings));
  if (settings['insecureBaseUrl'] === 'refuse')
    problems.push(
      ...insecureAddresses(PUBLIC_ADDRESSES, env, settings).map(
        (problem) => `${problem}, or set INSECURE_BASE_URL=allow for development on a LAN`,
      ),
    );
  problems.push(...insecureAddresses(CONSOLE_ADDRESSES, env, settings));
  if (problems.length > 0) throw new SettingsError(problems);
  return settings as SettingsOf<Process>;
}

/** Null: the file of a secret is unusable, which is added to the problems. */
function settingTextOrProblem(
  env: Environment,
  name: SettingName,
  problems: string[],
): string | null | undefined {
  try {
    return settingText(env, name);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    problems.push(error.message);
    return null;
  }
}

export const settingNames = () => Object.keys(SETTING_TABLE) as SettingName[];

/** The text of a setting, or its default with `{OTHER_NAME}` replaced. An empty value counts as unset. */
function settingText(env: Environment, name: SettingName): string | undefined {
  if (SETTING_TABLE[name].secret) return readSecret(env, name);
  if (isGiven(env, name)) return env[name]?.trim();
  // Shortened retries apply to all links; only the default differs for Sandbox.
  if (name === 'FETCH_RETRY_FOR_SANDBOX' && env['FETCH_RETRY_FOR']) return env['FETCH_RETRY_FOR'];
  const preset: string | undefined = SETTING_TABLE[name].default;
  return preset?.replaceAll(/\{([A-Z_]+)\}/g, (_, other: SettingName) =>
    (settingText(env, other) ?? '').replace(/(?<!\/)\/+$/, ''),
  );
}

const isGiven = (env: Environment, name: SettingName) => (env[name] ?? '').trim() !== '';

export const camelCase = <Name extends string>(name: Name): CamelCase<Name> =>
  name
    .toLowerCase()
    .replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Name>;

/** Addresses that bearer tokens, bank passwords or permissions would reach in clear text. */
const PUBLIC_ADDRESSES = ['BASE_URL', 'CONNECT_BASE_URL', 'SANDBOX_BANK_PUBLIC_URL'] as const;
/** The same without an exception for development: browsers send `Sec-Fetch-Site` to no other address. */
const CONSOLE_ADDRESSES = ['CONSOLE_BASE_URL'] as const;

/** A default that refers to another setting is invalid with it; only that setting is reported. */
function insecureAddresses(
  names: readonly SettingName[],
  env: Environment,
  settings: Readonly<Record<string, unknown>>,
): string[] {
  const isInsecure = (name: SettingName): boolean => {
    const address = settings[camelCase(name)];
    return (
      isGiven(env, name) &&
      typeof address === 'string' &&
      /^http:/i.test(address) &&
      !isLoopback(address)
    );
  };
  return names
    .filter(isInsecure)
    .map(
      (name) =>
        `${name} must be https unless it is a loopback address: put a proxy with TLS in front and name its address`,
    );
}
