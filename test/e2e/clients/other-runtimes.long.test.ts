import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdtempSync,
  rmSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
} from 'node:fs';
import { tmpdir, homedir } from 'node:os';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { freePort } from '../../../apps/standalone/src/ports.js';
import { runProgram } from '../../sdk/support/run-program.js';
import { eventually } from '../../support/assertions/eventually.js';
import { shareService } from '../../support/fixtures/shared-service.js';
import { installNodeClient } from '../../support/packaging/packed-node-client.js';
import { holdsTheBehaviors } from './behaviors.js';

/**
 * The packages that npm publishes of each runtime. The program is in the only package of `scope` that
 * npm chooses for the platform.
 */
const RUNTIMES = {
  bun: { version: '1.4.5', scope: '@oven', file: 'bin/bun' },
  deno: { version: '2.9.6', scope: '@deno', file: 'deno' },
  workerd: { version: '1.20261117.1', scope: '@cloudflare', file: 'bin/workerd' },
};
const INSTALL_WITHIN_MS = 240_000;

type RuntimeName = keyof typeof RUNTIMES;

/**
 * A group of tests in a runtime, which is installed once for this computer. Where it cannot be, the
 * group is skipped, counted and reported.
 */
function describeIn(runtime: RuntimeName, tests: (program: string) => void): void {
  const name = `The Node client in ${runtime} ${RUNTIMES[runtime].version}`;
  const found = install(runtime);
  if ('program' in found) return describe(name, () => tests(found.program));
  process.stderr.write(`SKIPPED: ${name}, which could not be installed: ${found.missing}\n`);
  describe.skip(name, () => tests(''));
}

function install(runtime: RuntimeName): { program: string } | { missing: string } {
  const { version, scope, file } = RUNTIMES[runtime];
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const folder = join(cache, 'tributary', `${runtime}-${version}`);
  const programIn = (place: string): string | undefined => {
    const packages = join(place, 'node_modules', scope);
    const [platform] = existsSync(packages) ? readdirSync(packages) : [];
    if (platform === undefined) return undefined;
    const program = join(packages, platform, file);
    return spawnSync(program, ['--version']).status === 0 ? program : undefined;
  };
  const program = programIn(folder);
  if (program !== undefined) return { program };
  mkdirSync(dirname(folder), { recursive: true });
  // Under a temporary name, so that an interrupted installation does not look complete.
  const making = mkdtempSync(`${folder}-`);
  try {
    const npm = ['install', '--prefix', making, '--ignore-scripts', '--no-audit', '--no-fund'];
    const { status, stderr, error } = spawnSync('npm', [...npm, `${runtime}@${version}`], {
      encoding: 'utf8',
      timeout: INSTALL_WITHIN_MS,
    });
    if (status !== 0) return { missing: error?.message ?? stderr.trim().slice(0, 300) };
    if (programIn(making) === undefined) return { missing: 'it does not run on this platform' };
    rmSync(folder, { recursive: true, force: true });
    renameSync(making, folder);
    return { program: programIn(folder) ?? '' };
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** The variables that the client reads, as its README lists them. */
const VARIABLES = [
  'TRIBUTARY_URL',
  'CLIENT_ID',
  'CLIENT_SECRET',
  'TRIBUTARY_APP_ID',
  'TRIBUTARY_ENVIRONMENT',
  'TRIBUTARY_ALLOW_HTTP',
];
const SEEN = {
  listed: 60,
  synced: { pages: 3, created: 60, updated: 0, removed: 0, restarted: false },
  copied: 60,
  missing: ['NotFoundError', 'link_error.not_found'],
  verified: ['link.state_changed', true],
  handled: 204,
  forged: ['WebhookVerificationError', 'wrong_body'],
};

/** A project that has installed the packed client, with the programs of ./runtimes. */
let project: string;
let env: Record<string, string>;
beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'tributary-other-runtimes-'));
  await installNodeClient(project);
  cpSync(fileURLToPath(new URL('runtimes', import.meta.url)), project, { recursive: true });
  const { info, app } = await shareService();
  env = {
    TRIBUTARY_URL: info.base_url,
    CLIENT_ID: app.sandbox.client_id,
    CLIENT_SECRET: app.sandbox.client_secret,
    ...variablesOfDeno(),
  };
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const DRIVER = 'test/e2e/clients/drivers/node-driver.mjs';
const variablesOfDeno = () => ({ DENO_DIR: join(project, 'deno'), DENO_NO_UPDATE_CHECK: '1' });
const DOES = 'lists, copies, names errors, and verifies webhooks';
const seenBy = async (program: string, ...args: string[]) =>
  JSON.parse(await runProgram(program, [...args, 'main.mjs'], { cwd: project, env })) as object;

describeIn('bun', (bun) => {
  it(DOES, async () => {
    expect(await seenBy(bun, 'run')).toEqual(SEEN);
  });

  holdsTheBehaviors('by the table of behaviors, it', () => ({
    command: bun,
    args: ['run', DRIVER],
  }));
});

describeIn('deno', (deno) => {
  it(`${DOES}, with no permission but the network and its variables`, async () => {
    const { host } = new URL(env['TRIBUTARY_URL'] ?? '');
    const allowed = [`--allow-net=${host}`, `--allow-env=${VARIABLES.join(',')}`];
    expect(await seenBy(deno, 'run', '--no-prompt', ...allowed)).toEqual(SEEN);
  });

  holdsTheBehaviors('by the table of behaviors, it', () => ({
    command: deno,
    args: ['run', '--no-prompt', '--allow-all', DRIVER],
    env: variablesOfDeno(),
  }));
});

describeIn('workerd', (workerd) => {
  it(`${DOES}, bundled into a worker without the compatibility with Node`, async () => {
    await build({
      configFile: false,
      logLevel: 'silent',
      root: project,
      build: {
        outDir: '.',
        emptyOutDir: false,
        target: 'es2022',
        lib: { entry: 'worker.mjs', formats: ['es'], fileName: () => 'worker.js' },
      },
    });
    const port = await freePort('127.0.0.1');
    const child = spawn(
      workerd,
      ['serve', `--socket-addr=http=127.0.0.1:${port}`, 'worker.capnp'],
      { cwd: project, env, stdio: ['ignore', 'inherit', 'inherit'] },
    );
    const ended = once(child, 'exit');
    try {
      const response = await eventually(() => fetch(`http://127.0.0.1:${port}`));
      const text = await response.text();
      expect([response.status, text]).toEqual([200, expect.any(String)]);
      expect(JSON.parse(text)).toEqual(SEEN);
    } finally {
      child.kill();
      await ended;
    }
  });
});
