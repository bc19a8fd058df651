import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { environmentOf } from '../../../apps/platform/src/config/process-environment.js';
import {
  answersReady,
  ENTRIES,
  type ServiceName,
} from '../../../apps/standalone/src/service/service-part.js';
import { ClusterProcess } from './cluster-process.js';

/** Changed by a test to deploy another build. */
export interface RunningBuild {
  dist: string;
  /** The settings that differ. */
  env: Readonly<Record<string, string>>;
}

export interface ServiceProcessOptions {
  name: ServiceName;
  /** Distinguishes several of a kind. */
  number?: number;
  /** The command from the next start on. */
  build: RunningBuild;
  /** All settings. The process receives its own. */
  env: Readonly<Record<string, string>>;
  /** Of Node. */
  flags?: readonly string[];
  /** The port of its readiness. */
  port: number;
  folder: string;
}

/** A process of the service, which exits with the test run. */
export function serviceProcess({
  name,
  number = 1,
  build,
  env,
  flags = [],
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
          ...flags,
          '--enable-source-maps',
          '--import',
          pathToFileURL(join(build.dist, 'apps/standalone/src/supervision/exit-with-parent.js'))
            .href,
          join(build.dist, ENTRIES[name]),
        ],
        {
          env: environmentOf(name, { ...system, ...env, ...build.env }),
          stdio: ['ignore', log, log, 'ipc'],
          detached: true,
        },
      ),
    isReady: () => answersReady(`http://127.0.0.1:${port}/health/ready`),
  });
}
