import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockInstance } from '../../../apps/standalone/src/data-folder/instance-lock.js';
import { ProcessRecord } from '../../../apps/standalone/src/data-folder/process-record.js';
import { readOrMakeSecrets } from '../../../apps/standalone/src/data-folder/stored-secrets.js';
import { choosePorts } from '../../../apps/standalone/src/ports.js';
import { processIdentity } from '../../../apps/standalone/src/supervision/process-identity.js';
import { SupervisedProcess } from '../../../apps/standalone/src/supervision/supervised-process.js';
import { until } from '../../../apps/standalone/src/until.js';
import { isRunning } from './support/standalone-process.js';

const folder = mkdtempSync(join(tmpdir(), 'tributary-supervision-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function run(script: string): ChildProcess {
  const child = spawn(process.execPath, ['-e', script], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'] },
  });
  children.push(child);
  return child;
}

const FOREVER = 'setInterval(() => {}, 1000)';
const supervise = (
  script: string,
  more: Partial<ConstructorParameters<typeof SupervisedProcess>[0]> = {},
) =>
  new SupervisedProcess({
    name: 'The part',
    start: () => run(script),
    isReady: async () => true,
    readyWithin: 60_000,
    stopSignal: 'SIGTERM',
    ...more,
  });

describe('A supervised process', () => {
  it('restarts after each crash with exponential back-off, and stays stopped when stopped', async () => {
    const pids: number[] = [];
    const delays: number[] = [];
    const part = supervise(FOREVER, {
      onStart: (pid) => pids.push(pid),
      onCrash: ({ restartInMs }) => delays.push(restartInMs),
    });
    await part.start();
    for (const times of [2, 3]) {
      process.kill(part.pid ?? 0, 'SIGKILL');
      expect(await until(async () => pids.length === times, { within: 60_000 })).toBe(true);
    }
    expect(new Set(pids).size).toBe(3);
    expect(delays).toEqual([200, 400]);
    await part.stop(5_000);
    expect(isRunning(pids.at(-1))).toBe(false);
    expect(pids).toHaveLength(3);
  });

  it('fails to start, with its last output, when it exits again and again', async () => {
    const part = supervise('process.exit(3)', {
      isReady: async () => false,
      lastWords: () => 'port 5 is taken',
    });
    await expect(part.start()).rejects.toThrow(
      'The part ended before it was ready.\n    port 5 is taken',
    );
    await part.stop(1_000);
  });

  it('fails to start when it is not ready in time', async () => {
    const part = supervise(FOREVER, { isReady: async () => false, readyWithin: 200 });
    await expect(part.start()).rejects.toThrow('The part was not ready after 0.2 s.');
    await part.stop(1_000);
  });

  it('is killed when it ignores the request to stop', async () => {
    const stubborn = join(folder, 'listening');
    const part = supervise(
      `process.on('SIGTERM', () => {}); require('fs').writeFileSync(${JSON.stringify(stubborn)}, ''); ${FOREVER}`,
      {
        isReady: async () => existsSync(stubborn),
      },
    );
    await part.start();
    const { pid } = part;
    await part.stop(100);
    expect(isRunning(pid)).toBe(false);
  });
});

describe('The processes that a killed supervisor left behind', () => {
  it('are ended by process id and start time, and nothing else is', async () => {
    const [leftover, innocent] = [run(FOREVER), run(FOREVER)];
    await Promise.all([leftover, innocent].map((child) => once(child, 'spawn')));
    const path = join(folder, 'processes.json');
    const before = new ProcessRecord(path);
    before.set('worker', leftover.pid ?? 0);
    // A process id that has since been reused.
    writeFileSync(
      path,
      JSON.stringify([
        { part: 'worker', pid: leftover.pid, started: processIdentity(leftover.pid ?? 0) },
        { part: 'api', pid: innocent.pid, started: 'another time' },
      ]),
    );
    expect(await new ProcessRecord(path).endLeftovers()).toBe(1);
    expect(await until(async () => !isRunning(leftover.pid), { within: 60_000 })).toBe(true);
    expect(isRunning(innocent.pid)).toBe(true);
  });

  it('are ignored when the record is incomplete', async () => {
    const path = join(folder, 'cut-off.json');
    writeFileSync(path, '[{"part":"wor');
    expect(await new ProcessRecord(path).endLeftovers()).toBe(0);
  });
});

describe('The lock of a data folder', () => {
  const path = join(folder, 'lock');

  it('is refused while its owner runs, and free again when released', async () => {
    const release = await lockInstance(folder, path);
    await expect(lockInstance(folder, path)).rejects.toThrow(
      `in use by another instance (process ${process.pid})`,
    );
    release();
    (await lockInstance(folder, path))();
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    ['a dead owner', JSON.stringify({ pid: 2 ** 22 - 1, started: '1' })],
    [
      'a number that was given to another process',
      JSON.stringify({ pid: process.pid, started: 'another time' }),
    ],
    ['a crash while it was written', '{"pid":'],
  ])('is taken over from %s', async (_what, content) => {
    writeFileSync(path, content);
    (await lockInstance(folder, path))();
    expect(existsSync(path)).toBe(false);
  });
});

describe('The secrets of a data folder', () => {
  it('are made at its first start, and read at every later one', () => {
    const path = join(folder, 'secrets.json');
    const made = readOrMakeSecrets(path);
    expect(readOrMakeSecrets(path)).toEqual(made);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe('Ports', () => {
  it('are kept, replaced when in use, or chosen freely, as requested', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const request = { name: 'API_PORT', host: '127.0.0.1', port, fixed: false };
    try {
      await expect(choosePorts([request], 'exact')).rejects.toThrow(
        `Port ${port} (API_PORT) is in use.`,
      );
      await expect(choosePorts([{ ...request, fixed: true }], 'any')).rejects.toThrow(
        `Port ${port} (API_PORT) is in use.`,
      );
      expect((await choosePorts([request], 'prefer')).API_PORT).not.toBe(port);
    } finally {
      server.close();
    }
    const chosen = await choosePorts(
      ['A', 'B', 'C'].map((name) => ({ ...request, name })),
      'any',
    );
    expect(new Set(Object.values(chosen)).size).toBe(3);
  });
});
