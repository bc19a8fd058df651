import type { StandaloneDescription } from './description.js';
import { inDataFolder } from './in-data-folder.js';

export interface ServiceDescriptionOptions {
  withKeys: boolean;
  /** Null shows the command that makes one. */
  consoleLink: string | null;
  dataDir: string;
}

/**
 * The addresses of the service for the person at the terminal, with the keys of the demo app unless
 * the output is a log.
 */
export function describeService(
  description: StandaloneDescription,
  { withKeys, consoleLink, dataDir }: ServiceDescriptionOptions,
): string {
  const [app] = description.apps;
  return table([
    ['API', description.base_url],
    ['Sandbox bank', description.sandbox_bank_url],
    ...(description.console_url === null
      ? []
      : ([
          [
            'Console',
            consoleLink ??
              `${description.console_url}  (sign in: ${inDataFolder(dataDir, 'npm run -s operator -- console sign-in')})`,
          ],
        ] as const)),
    ['Temporal', description.temporal_ui_url ?? description.temporal_address],
    [
      'Metrics',
      `${description.metrics_url}  ${description.worker_metrics_url}  ${description.webhooks_metrics_url}`,
    ],
    ...(app === undefined
      ? []
      : ([
          ['App', `${app.app_id} (${app.name})`],
          ...(withKeys
            ? ([
                ['Sandbox keys', `${app.sandbox.client_id}  ${app.sandbox.client_secret}`],
                ['Live keys', `${app.live.client_id}  ${app.live.client_secret}`],
              ] as const)
            : ([['Keys', 'in standalone.json of the data folder']] as const)),
        ] as const)),
  ]);
}

export function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}\n`).join('');
}
