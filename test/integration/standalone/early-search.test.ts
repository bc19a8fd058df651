import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { until } from '../../../apps/standalone/src/until.js';
import { isRunning } from './support/standalone-process.js';

const folder = mkdtempSync(join(tmpdir(), 'tributary-early-search-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STANDALONE = resolve('dist/apps/standalone/src');
const LOG = join(folder, 'temporal.log');
const PID = join(folder, 'pid');

function script(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

const able = script('able', `echo run >> ${LOG}`);
const hanging = script('hanging', `echo $$ > ${PID}; exec sleep 1000`);

/** A process of its own, since a search belongs to its process. */
const args = (code: string) => [
  '--input-type=module',
  '--eval',
  `const { beginSearch, searchTemporal } = await import('${STANDALONE}/service/early-search.js');
   const { buildTemporal } = await import('${STANDALONE}/temporal/build-temporal.js');
   const { silentProgress: progress } = await import('${STANDALONE}/progress.js');
   const { env } = process;
   ${code}`,
];
const run = (code: string, env: NodeJS.ProcessEnv) => {
  const { PATH } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, args(code), {
    encoding: 'utf8',
    env: { PATH, ...env },
  });
  return { stdout, stderr };
};
const BEGIN = 'process.stdout.write(String(beginSearch(env)));';

describe('The search for a Temporal server that a tool begins', () => {
  it('is the one that the service waits for', () => {
    const wait = 'console.log(await searchTemporal({ cliPath: undefined, env: {}, progress }));';
    expect(run(`beginSearch(env); ${wait} ${wait}`, { TEMPORAL_CLI_PATH: able })).toEqual({
      stdout: `${able}\n${able}\n`,
      stderr: '',
    });
    expect(readFileSync(LOG, 'utf8')).toBe('run\n');
  });

  it('fails only when the service needs its result, with the reason', () => {
    const { stdout, stderr } = run(
      `beginSearch(env); setTimeout(() => searchTemporal({}).catch((error) => console.log(error.name, error.message)), 100);`,
      { TEMPORAL_CLI_PATH: '/nowhere/temporal' },
    );
    expect({ stdout, stderr }).toEqual({
      stdout: expect.stringMatching(/^StartFailure TEMPORAL_CLI_PATH names \/nowhere\/temporal/),
      stderr: '',
    });
  });

  it.each([
    ['the settings name a server', { TEMPORAL_ADDRESS: 'temporal.example:7233' }],
    ['the service will refuse its settings', { LINK_SESSION_TTL: 'soon' }],
    ['the output is a log of JSON lines', { LOG_FORMAT: 'json' }],
  ])('does not begin when %s', (_case, env) => {
    expect(run(BEGIN, { ...env, TEMPORAL_CLI_PATH: able })).toEqual({
      stdout: 'undefined',
      stderr: '',
    });
  });
});

describe('A process that ends during the search', () => {
  afterEach(() => {
    if (isRunning(pid())) process.kill(pid(), 'SIGKILL');
    rmSync(PID);
  });
  const isWritten = () =>
    until(async () => existsSync(PID) && readFileSync(PID, 'utf8') !== '', { within: 60_000 });
  const pid = () => Number(readFileSync(PID, 'utf8'));

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends the program that it waits for: on %s',
    async (signal) => {
      const tool = spawn(process.execPath, args('beginSearch(env);'), {
        stdio: 'ignore',
        env: { PATH: process.env['PATH'], TEMPORAL_CLI_PATH: hanging },
      });
      expect(await isWritten()).toBe(true);
      tool.kill(signal);
      await once(tool, 'close');
      expect(await until(async () => !isRunning(pid()), { within: 60_000 })).toBe(true);
    },
  );

  it('ends a compiler that Go has started, too, and removes its files', async () => {
    const cache = join(folder, 'cache');
    script('go', `[ "$1" = version ] && exit 0; ${hanging}; true`);
    const tool = spawn(
      process.execPath,
      args(`void buildTemporal('${cache}', env, progress); process.once('message', process.exit);`),
      {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        env: { PATH: `${folder}:/usr/bin:/bin` },
      },
    );
    expect(await isWritten()).toBe(true);
    tool.send(0);
    await once(tool, 'close');
    expect(await until(async () => !isRunning(pid()), { within: 60_000 })).toBe(true);
    expect(readdirSync(cache)).toEqual([]);
  });
});
