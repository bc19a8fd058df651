import { spawn, type ChildProcess } from 'node:child_process';
import { freePort } from '../../../apps/standalone/src/ports.js';
import { eventually } from '../../support/assertions/eventually.js';

/** A process of its own: the runtime of the SDK is installed once in each process. */
const PROGRAM = `
  import { installRuntime } from './apps/worker/src/temporal/install-runtime.ts';
  import { createLogger } from './apps/platform/src/logging/logger.ts';
  const logger = createLogger({ name: 'worker', level: 'info', format: 'json' });
  installRuntime(logger, { host: 'localhost', port: Number(process.env.PORT) });
  setInterval(() => undefined, 60_000);`;

const TYPESCRIPT = ['--import', '@swc-node/register/esm-register'];

describe('Metrics of the Temporal SDK', () => {
  let child: ChildProcess | undefined;
  afterEach(() => child?.kill());

  it('are exposed for Prometheus on a port of their own, on the host of the operator ports', async () => {
    const port = await freePort('127.0.0.1');
    child = spawn(process.execPath, [...TYPESCRIPT, '--input-type=module', '--eval', PROGRAM], {
      env: { ...process.env, PORT: String(port) },
      stdio: 'inherit',
    });
    await eventually(async () => {
      const response = await fetch(`http://127.0.0.1:${port}/metrics`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toContain('text/plain');
    });
  });
});
