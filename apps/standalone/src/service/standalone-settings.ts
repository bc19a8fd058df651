import { isLoopback } from '../../../platform/src/config/loopback.js';
import { withSecretValues } from '../../../../prisma/base/database/secret-files.js';
import {
  readSettings,
  SettingsError,
  type SettingsOf,
} from '../../../platform/src/config/settings.js';
import type { StoredSecrets } from '../data-folder/stored-secrets.js';
import { choosePorts, type PortPolicy } from '../ports.js';

export type StandaloneSettings = SettingsOf<'standalone'>;

type PortSetting =
  | 'API_PORT'
  | 'METRICS_PORT'
  | 'WORKER_METRICS_PORT'
  | 'WEBHOOKS_METRICS_PORT'
  | 'CODEC_PORT'
  | 'CONSOLE_PORT'
  | 'SANDBOX_BANK_PORT'
  | 'SANDBOX_BANK_CONTROL_PORT'
  | 'EMBEDDED_POSTGRES_PORT'
  | 'EMBEDDED_TEMPORAL_PORT'
  | 'EMBEDDED_TEMPORAL_UI_PORT';

/** The defaults of standalone that differ from those of single processes. */
const PRESETS = { LOG_FORMAT: 'pretty' };
const CODEC_PORT_OF_OWN_UI = 4004;
/** No load balancer is in front, and the supervisor gives each process a few seconds to stop. */
const FIXED = { STOP_DELAY: '0s' };

/**
 * webhooks 7: receivers of a developer run on the same computer. A service that others can reach must
 * not let them reach what else listens there.
 */
const PRESETS_ON_LOOPBACK = { WEBHOOK_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8,::1/128' };

/** The environment, with the defaults of standalone for missing values. */
export function withPresets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isOnLoopback = !isGiven(env, 'BASE_URL') || isLoopback(env['BASE_URL'] ?? '');
  const presets = { ...PRESETS, ...(isOnLoopback ? PRESETS_ON_LOOPBACK : {}) };
  const missing = Object.entries(presets).filter(([name]) => !isGiven(env, name));
  return { ...env, ...Object.fromEntries(missing), ...FIXED };
}

/** Secrets that standalone creates itself where they are missing, and passes on as values. */
const OWN_SECRETS = [
  'DATABASE_URL',
  'SANDBOX_BANK_DATABASE_URL',
  'MASTER_KEYS',
  'SANDBOX_BANK_SECRET',
];

/** The secrets of the data folder, for missing values. @throws SettingsError for an unusable file of a secret */
export function withSecrets(env: NodeJS.ProcessEnv, secrets: StoredSecrets): NodeJS.ProcessEnv {
  const given = secretValues(env);
  return {
    ...given,
    MASTER_KEYS: given['MASTER_KEYS'] || secrets.master_keys,
    SANDBOX_BANK_SECRET: given['SANDBOX_BANK_SECRET'] || secrets.sandbox_bank.secret,
  };
}

/** The codec server needs a token, unless the settings define another authentication. */
export function withCodecToken(env: NodeJS.ProcessEnv, file: string): NodeJS.ProcessEnv {
  const isDecided = ['CODEC_TOKEN_FILE', 'CODEC_JWKS_URL'].some((name) => isGiven(env, name));
  return isDecided || env['CODEC_AUTH'] === 'none' ? env : { ...env, CODEC_TOKEN_FILE: file };
}

function secretValues(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  try {
    return withSecretValues(env, OWN_SECRETS);
  } catch (error) {
    throw error instanceof RangeError ? new SettingsError([error.message]) : error;
  }
}

/** The same database with the role of the sandbox bank. */
export function databaseUrlOfBank(
  databaseUrl: string,
  { sandbox_bank: bank }: StoredSecrets,
): string {
  const url = new URL(databaseUrl);
  url.username = bank.database_role;
  url.password = bank.database_password;
  // parameters would take precedence
  for (const name of ['user', 'password']) url.searchParams.delete(name);
  return url.href;
}

/** The order of the ports that `--port` gives, one after the other from its own. */
const IN_ORDER: readonly PortSetting[] = [
  'API_PORT',
  'SANDBOX_BANK_PORT',
  'SANDBOX_BANK_CONTROL_PORT',
  'METRICS_PORT',
  'WORKER_METRICS_PORT',
  'WEBHOOKS_METRICS_PORT',
  'EMBEDDED_POSTGRES_PORT',
  'EMBEDDED_TEMPORAL_PORT',
  'EMBEDDED_TEMPORAL_UI_PORT',
  'CODEC_PORT',
  'CONSOLE_PORT',
];

/** The environment with a port for every part that has none yet. @param first that of the API */
export function withPortsFrom(first: number, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const ports = IN_ORDER.map((name, index) => [name, String(first + index)] as const);
  return { ...env, ...Object.fromEntries(ports.filter(([name]) => !isGiven(env, name))) };
}

/** The highest port that `--port` takes. */
export const MAX_FIRST_PORT = 65_536 - IN_ORDER.length;

/** Chooses every port and derives the addresses. @throws StartFailure naming the busy ones */
export async function withPorts(
  env: NodeJS.ProcessEnv,
  policy: PortPolicy,
): Promise<NodeJS.ProcessEnv> {
  const settings = readSettings(env, 'standalone');
  const requests: readonly { name: PortSetting; host: string; port: number }[] = [
    { name: 'API_PORT', host: settings.apiHost, port: settings.apiPort },
    { name: 'METRICS_PORT', host: '127.0.0.1', port: settings.metricsPort },
    { name: 'WORKER_METRICS_PORT', host: '127.0.0.1', port: settings.workerMetricsPort },
    { name: 'WEBHOOKS_METRICS_PORT', host: '127.0.0.1', port: settings.webhooksMetricsPort },
    { name: 'SANDBOX_BANK_PORT', host: settings.sandboxBankHost, port: settings.sandboxBankPort },
    {
      name: 'SANDBOX_BANK_CONTROL_PORT',
      host: settings.sandboxBankControlHost,
      port: settings.sandboxBankControlPort,
    },
    ...(settings.console
      ? ([
          { name: 'CONSOLE_PORT', host: settings.consoleHost, port: settings.consolePort },
        ] as const)
      : []),
    ...(settings.databaseUrl === undefined
      ? [
          {
            name: 'EMBEDDED_POSTGRES_PORT',
            host: '127.0.0.1',
            port: settings.embeddedPostgresPort,
          } as const,
        ]
      : []),
    ...(settings.temporalAddress === undefined
      ? ([
          {
            name: 'EMBEDDED_TEMPORAL_PORT',
            host: '127.0.0.1',
            port: settings.embeddedTemporalPort,
          },
          {
            name: 'EMBEDDED_TEMPORAL_UI_PORT',
            host: '127.0.0.1',
            port: settings.embeddedTemporalUiPort,
          },
          {
            name: 'CODEC_PORT',
            host: settings.codecHost,
            port: settings.codecPort ?? CODEC_PORT_OF_OWN_UI,
          },
        ] as const)
      : []),
  ];
  const ports = await choosePorts(
    requests.map((request) => ({ ...request, fixed: isGiven(env, request.name) })),
    policy,
  );
  const filled = {
    ...env,
    ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])),
  };
  const ui = ports.EMBEDDED_TEMPORAL_UI_PORT;
  return {
    ...filled,
    SANDBOX_BANK_URL:
      env['SANDBOX_BANK_URL'] || `http://127.0.0.1:${ports.SANDBOX_BANK_CONTROL_PORT}`,
    TEMPORAL_UI_URL: env['TEMPORAL_UI_URL'] || (ui === undefined ? '' : `http://127.0.0.1:${ui}`),
    CODEC_ORIGINS:
      env['CODEC_ORIGINS'] ||
      (ui === undefined ? '' : `http://127.0.0.1:${ui},http://localhost:${ui}`),
  };
}

const isGiven = (env: NodeJS.ProcessEnv, name: string) => (env[name] ?? '').trim() !== '';
