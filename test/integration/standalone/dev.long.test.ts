import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { StandaloneDescription } from '../../../apps/standalone/src/service/description.js';
import { until } from '../../../apps/standalone/src/until.js';
import { isRunning, makeDataDir, removeStandalones } from './support/standalone-process.js';

const folder = makeDataDir();
const file = join(folder, 'standalone.json');
const description = () => JSON.parse(readFileSync(file, 'utf8')) as StandaloneDescription;
let dev: ChildProcess;
let output = '';

beforeAll(async () => {
  dev = spawn(process.execPath, ['tools/dev.mjs', '--auto-ports', '--data-dir', folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [dev.stdout, dev.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  await waitFor(() => output.includes('Tributary is ready'));
});
afterAll(async () => {
  dev.kill('SIGTERM');
  await removeStandalones([folder]);
});

async function waitFor(condition: () => boolean): Promise<void> {
  if (!(await until(async () => condition(), { within: 240_000 }))) throw new Error(output);
}

it('prints the addresses, and restarts only the process whose source changed', async () => {
  const { base_url: url, processes: before } = description();
  expect(output).toContain(url);
  const now = new Date();
  utimesSync('simulators/sandbox-bank/main.ts', now, now);
  await waitFor(
    () => existsSync(file) && description().processes.sandbox_bank !== before.sandbox_bank,
  );
  const { processes: after } = description();
  expect(output).toContain('Restarting: sandbox_bank');
  expect({ ...after, sandbox_bank: null }).toEqual({ ...before, sandbox_bank: null });
});

it('stops everything with the command', async () => {
  const { processes } = description();
  dev.kill('SIGTERM');
  await once(dev, 'exit');
  expect(Object.entries(processes).filter(([, pid]) => isRunning(pid))).toEqual([]);
});
