import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { environmentOf } from '../../../apps/platform/src/config/process-environment.js';
import type { ProcessName } from '../../../apps/platform/src/config/settings-table.js';
import { answersReady } from '../../../apps/standalone/src/service/service-part.js';
import { ClusterProcess } from './cluster-process.js';

type ServiceName = Extract<ProcessName, 'api' | 'worker' | 'webhooks' | 'sandbox-bank'>;

export interface ServiceProcessOptions {
  name: ServiceName;
  /** Tells several of a kind apart. */
  number?: number;
  /** The folder of the build that runs, read at each start. */
  dist: () => string;
  /** All settings; the process is given its own. */
  env: Readonly<Record<string, string>>;
  /** The port of its readiness. */
  port: number;
  folder: string;
}

/** A process of the service, which ends with the test run. */
export function serviceProcess({
  name,
  number = 1,
  dist,
  env,
  port,
  folder,
}: ServiceProcessOptions): ClusterProcess {
  const { NODE_OPTIONS: _options, ...system } = process.env;
  return new ClusterProcess({
    name: `${name}-${number}`,
    log: join(folder, `${name}-${number}.log`),
    launch: (log) =>
      spawn(
        process.execPath,
        [
          '--enable-source-maps',
          '--import',
          pathToFileURL(join(dist(), 'apps/standalone/src/supervision/exit-with-parent.js')).href,
          ...(env['CPU_PROFILE_FOLDER'] === undefined || name !== 'worker'
            ? []
            : ['--cpu-prof', '--cpu-prof-dir', env['CPU_PROFILE_FOLDER']]),
          join(dist(), `apps/${name}/src/main.js`),
        ],
        {
          env: environmentOf(name, { ...system, ...env }),
          stdio: ['ignore', log, log, 'ipc'],
          detached: true,
        },
      ),
    isReady: () => answersReady(`http://127.0.0.1:${port}/health/ready`),
  });
}
