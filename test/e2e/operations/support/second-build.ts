import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf } from '../../../../apps/platform/src/config/process-environment.js';
import { readOrMakeSecrets } from '../../../../apps/standalone/src/data-folder/stored-secrets.js';
import { freePort } from '../../../../apps/standalone/src/ports.js';
import {
  withPresets,
  withSecrets,
} from '../../../../apps/standalone/src/service/standalone-settings.js';
import { eventually } from '../../../support/assertions/eventually.js';
import type { WatchedService } from './watched-service.js';

/** Below the packages of the project, so that the copy finds them. */
const FOLDER = join(process.cwd(), 'node_modules/.cache/tributary/second-build');

/** A webhooks process of another build. */
export interface SecondBuild {
  /** The port of its metrics. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts a webhooks process beside that of a service, from a copy of the code that names another
 * build.
 */
export async function startSecondBuild({ service, env }: WatchedService): Promise<SecondBuild> {
  rmSync(FOLDER, { recursive: true, force: true });
  cpSync('dist', join(FOLDER, 'dist'), { recursive: true });
  writeFileSync(join(FOLDER, 'package.json'), '{ "type": "module" }\n');
  const noted = join(FOLDER, 'dist/build.json');
  const build = JSON.parse(readFileSync(noted, 'utf8')) as Record<string, string>;
  writeFileSync(noted, JSON.stringify({ ...build, build: 'second' }));
  const port = String(await freePort('127.0.0.1'));
  const settings = withSecrets(
    withPresets({ ...process.env, NODE_OPTIONS: '', ...env, WEBHOOKS_METRICS_PORT: port }),
    readOrMakeSecrets(join(service.dataDir, 'secrets.json')),
  );
  const child = spawn(process.execPath, [join(FOLDER, 'dist/apps/webhooks/src/main.js')], {
    env: environmentOf('webhooks', settings),
    stdio: 'ignore',
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}/metrics`;
  await eventually(async () => {
    if (!(await fetch(url)).ok) throw new Error('the second build is not ready');
  });
  return {
    url,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(FOLDER, { recursive: true, force: true });
    },
  };
}
