import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isRunning,
  makeDataDir,
  removeStandalones,
  startStandalone,
} from './support/standalone-process.js';

const folders: string[] = [];
let folder: string;
beforeEach(() => {
  folder = makeDataDir();
  folders.push(folder);
});
afterAll(() => removeStandalones(folders));

const secrets = () => readFileSync(join(folder, 'secrets.json'), 'utf8');

it('npm start keeps its keys when its supervisor was killed, and leaves no process of before running', async () => {
  const standalone = startStandalone({ dataDir: folder });
  const { processes, apps } = await standalone.ready();
  const kept = secrets();
  await standalone.signal('SIGKILL');
  const next = startStandalone({ dataDir: folder });
  expect((await next.ready()).apps).toEqual(apps);
  expect(secrets()).toBe(kept);
  for (const pid of Object.values(processes)) expect(isRunning(pid)).toBe(false);
  await next.signal('SIGTERM');
});

it('npm start stops all processes on SIGTERM, and keeps its keys for a start beside the lock of a process that no longer exists', async () => {
  const standalone = startStandalone({ dataDir: folder });
  const { processes, apps } = await standalone.ready();
  const kept = secrets();
  await standalone.signal('SIGTERM');
  expect(standalone.child.exitCode).toBe(0);
  for (const pid of Object.values(processes)) expect(isRunning(pid)).toBe(false);
  for (const name of [
    'standalone.json',
    'sandbox.env',
    'live.env',
    'supervisor.lock',
    'processes.json',
  ])
    expect(existsSync(join(folder, name))).toBe(false);
  // The lock of a process that no longer exists, as left behind by a crash.
  writeFileSync(
    join(folder, 'supervisor.lock'),
    JSON.stringify({ pid: standalone.child.pid, started: '1' }),
  );
  const second = startStandalone({ dataDir: folder });
  expect((await second.ready()).apps).toEqual(apps);
  expect(secrets()).toBe(kept);
  await second.signal('SIGTERM');
  expect(existsSync(join(folder, 'supervisor.lock'))).toBe(false);
});
