import './supported-node.js';
import { SETTING_TABLE, type SettingName } from '../config/settings-table.js';

/** The place of `/health/ready` of each process. */
const PLACES: Record<string, readonly [host: SettingName, port: SettingName]> = {
  api: ['API_HOST', 'API_PORT'],
  worker: ['METRICS_HOST', 'WORKER_METRICS_PORT'],
  webhooks: ['METRICS_HOST', 'WEBHOOKS_METRICS_PORT'],
  console: ['CONSOLE_HOST', 'CONSOLE_PORT'],
  'sandbox-bank': ['SANDBOX_BANK_HOST', 'SANDBOX_BANK_PORT'],
};

// For images, which have neither curl nor wget: node check-health.js PROCESS, with the environment
// of the process. Exit status 0 = ready.
const place = PLACES[process.argv[2] ?? ''];
if (place === undefined) fail(`Name one of: ${Object.keys(PLACES).join(', ')}`);
else {
  const [host, port] = place.map((name) => process.env[name] || SETTING_TABLE[name].default || '');
  const signal = AbortSignal.timeout(4_000);
  await fetch(`http://${reachable(host ?? '')}:${port}/health/ready`, { signal }).then(
    async (response) => {
      if (!response.ok) fail(`${response.status} ${await response.text()}`);
    },
    (error: unknown) => fail(reasonOf(error)),
  );
}

function fail(reason: string): void {
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
}

/** A process that listens on every address is reached by the loopback one. */
function reachable(host: string): string {
  if (['0.0.0.0', '::', ''].includes(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
