import { execFile, execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, dirname, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../apps/standalone/src/ports.js';
import { ENTRIES, type ServiceName } from '../../../apps/standalone/src/service/service-part.js';
import { eventually } from '../../support/assertions/eventually.js';
import {
  createEmptyDatabase,
  takeNamespace,
  testTemporalAddress,
  type TestDatabase,
} from '../../support/services/embedded-services.js';
import { once } from 'node:events';
import { cp, mkdir, readFile } from 'node:fs/promises';

const WORKDIR = '/app';
/** The files that `.dockerignore` excludes from the folders it includes. */
const NOT_SENT = /(^|\/)(node_modules|dist)(\/|$)|^prisma\/generated(\/|$)/;

/** The variables that `npm` needs to reach its registry on this machine, in a new cache as well. */
const REACHES_NPM =
  /^(home|npm_config_(cache|registry)|(https?|no)_proxy|node_extra_ca_certs|ssl_cert_(file|dir))$/i;

/**
 * An image without its base: the folder that represents `/`, and the settings that containers start
 * with.
 */
interface ReplayedImage {
  root: string;
  env: Record<string, string>;
  command: string[];
}

interface Instruction {
  name: string;
  rest: string;
}

/**
 * Performs the COPY and RUN lines of the Dockerfile, each stage in an empty folder below `folder`, with
 * the given folder of programs in front of PATH instead of the base image.
 */
async function replayDockerfile(folder: string, programs: string): Promise<ReplayedImage> {
  const stages = stagesOf(await readFile('Dockerfile', 'utf8'));
  const roots = new Map<string, string>();
  for (const { name, instructions } of stages) {
    const root = join(folder, name);
    roots.set(name, root);
    await mkdir(join(root, WORKDIR), { recursive: true });
    for (const instruction of instructions) await perform(instruction, { root, roots, programs });
  }
  const last = stages.at(-1);
  if (last === undefined) throw new Error('The Dockerfile has no stage.');
  return { root: join(folder, last.name), env: environmentOf(last), command: commandOf(last) };
}

interface Place {
  root: string;
  roots: ReadonlyMap<string, string>;
  programs: string;
}

async function perform({ name, rest }: Instruction, place: Place): Promise<void> {
  if (name === 'COPY') return copy(rest, place);
  if (name !== 'RUN') return;
  const PATH = `${place.programs}:${process.env['PATH'] ?? ''}`;
  await promisify(execFile)('/bin/sh', ['-euc', rest], {
    cwd: join(place.root, WORKDIR),
    // A build does not have the variables of a test run, above all NODE_ENV.
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([key]) => REACHES_NPM.test(key))),
      PATH,
    },
    maxBuffer: 64 * 2 ** 20,
  });
}

async function copy(words: string, { root, roots }: Place): Promise<void> {
  const [, stage, paths = ''] = /^(?:--from=(\S+) )?(.+)$/.exec(words) ?? [];
  const sources = paths.split(/\s+/);
  const target = sources.pop() ?? '';
  const from = stage === undefined ? process.cwd() : roots.get(stage);
  if (from === undefined) throw new Error(`There is no stage ${stage ?? ''}.`);
  for (const source of sources) {
    const path = resolve(from, stage === undefined ? source : `.${source}`);
    const into = join(root, WORKDIR, target);
    const isFolder = target.endsWith('/');
    await mkdir(isFolder ? into : dirname(into), { recursive: true });
    await cp(path, isFolder ? join(into, path.slice(path.lastIndexOf(sep) + 1)) : into, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (each) => stage !== undefined || !NOT_SENT.test(each.slice(from.length + 1)),
    });
  }
}

interface Stage {
  name: string;
  instructions: Instruction[];
}

function stagesOf(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, ' ')
    .split('\n');
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') {
      const [, named] = / AS (\S+)$/.exec(rest) ?? [];
      stages.push({ name: named ?? 'image', instructions: [] });
    } else stages.at(-1)?.instructions.push({ name, rest });
  }
  return stages;
}

const restsOf = ({ instructions }: Stage, name: string): string[] =>
  instructions.filter((each) => each.name === name).map(({ rest }) => rest);

const environmentOf = (stage: Stage): Record<string, string> =>
  Object.fromEntries(
    restsOf(stage, 'ENV').map((rest): [string, string] => {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(rest) ?? [];
      return [name, value];
    }),
  );

const commandOf = (stage: Stage): string[] =>
  JSON.parse(restsOf(stage, 'CMD').at(-1) ?? '[]') as string[];

/** The account that owns nothing. */
const ANYONE = 65_534;

/**
 * In a mount namespace of its own: every file system below `/` becomes read-only, then the program
 * starts as `ANYONE`, without a capability and without a means to gain one. Containers get the same
 * by `--read-only --cap-drop ALL`.
 */
const CONFINE = `
set -eu
app=$1; shift
mount --bind "$app" "$app"
mount -o remount,bind,ro "$app"
mount -o remount,bind,ro /
cd "$app"
exec setpriv --reuid=${ANYONE} --regid=${ANYONE} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
`;

/** The reason why a program cannot be confined here, or nothing. */
function cannotConfine(): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux';
  if (process.getuid?.() !== 0) return 'needs root, to mount a read-only root';
  const { status } = spawnSync('unshare', ['--mount', 'setpriv', '--version']);
  return status === 0 ? undefined : 'needs unshare and setpriv of util-linux';
}

interface ConfinedProcess {
  child: ChildProcess;
  /** Everything it has written. */
  output(): string;
  /** Its exit status, once it has exited. */
  ended: Promise<number | null>;
}

/** Starts a program in the folder, which it sees as a container sees its image. */
function startConfined(
  folder: string,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): ConfinedProcess {
  const child = spawn('unshare', ['--mount', 'sh', '-c', CONFINE, 'sh', folder, ...command], {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer): void => void (output += chunk.toString('utf8'));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'close').then(([status]) => {
    process.off('exit', kill);
    return status as number | null;
  });
  return { child, output: () => output, ended };
}

const BUILD_WITHIN_MS = 30 * 60_000;
const MAX_MB = 350;
const [, NODE_VERSION = ''] = /^FROM node:([\d.]+)/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];

const folder = mkdtempSync(join(tmpdir(), 'tributary-image-'));
/** Every account may enter it. */
chmodSync(folder, 0o755);
let image: ReplayedImage;
let app: string;
let node: string;

beforeAll(async () => {
  const programs = join(folder, 'node');
  await promisify(execFile)('npm', [
    ...['install', '--no-save', '--prefix', programs],
    `node@${NODE_VERSION}`,
  ]);
  const bin = join(programs, 'node_modules/node/bin');
  node = join(bin, 'node');
  image = await replayDockerfile(folder, bin);
  app = join(image.root, 'app');
}, BUILD_WITHIN_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

const modules = (path: string): string => join(app, 'node_modules', path);

it('builds an image for the version of Node that the Dockerfile names', () => {
  expect(execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()).toBe(`v${NODE_VERSION}`);
});

it(`creates an image of less than ${MAX_MB} MB, without Node itself`, () => {
  const [megabytes = ''] = execFileSync('du', ['-sm', image.root], { encoding: 'utf8' }).split(
    '\t',
  );
  expect(Number(megabytes)).toBeGreaterThan(50);
  expect(Number(megabytes)).toBeLessThan(MAX_MB);
});

it('leaves out of the image everything that only a build needs, and everything that no container may start', () => {
  expect(readdirSync(modules('@temporalio/core-bridge/releases'))).toHaveLength(1);
  for (const path of ['prisma', 'typescript', 'vite', 'react', 'react-dom', '@swc', 'jest'])
    expect({ path, exists: existsSync(modules(path)) }).toEqual({ path, exists: false });
  for (const path of ['apps/standalone', 'simulators/vendors'])
    expect({ path, exists: existsSync(join(app, 'dist', path)) }).toEqual({ path, exists: false });
  expect(existsSync(join(app, 'dist/workflow-bundle.js'))).toBe(true);
  expect(existsSync(join(app, 'dist/apps/connect/index.html'))).toBe(true);
});

const missing = cannotConfine();
(missing === undefined ? describe : describe.skip)(
  `the image, as an account that owns nothing, on a read-only root${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let database: TestDatabase;
    const running: ConfinedProcess[] = [];
    let env: Record<string, string>;

    const start = (...command: string[]): ConfinedProcess =>
      startConfined(app, [node, ...command], {
        PATH: process.env['PATH'] ?? '',
        ...image.env,
        ...env,
      });
    const serve = (name: ServiceName): ConfinedProcess => {
      const process = start('--enable-source-maps', `dist/${ENTRIES[name]}`);
      running.push(process);
      return process;
    };

    beforeAll(async () => {
      database = await createEmptyDatabase();
      const free: number[] = [];
      for (let count = 0; count < 6; count += 1) free.push(await freePort('127.0.0.1', free));
      const [API = 0, BANK = 0, CONTROL = 0, METRICS = 0, WORKER = 0, WEBHOOKS = 0] = free;
      const bank = new URL(database.url);
      bank.username = `bank_${randomBytes(4).toString('hex')}`;
      bank.password = randomBytes(12).toString('hex');
      env = {
        DATABASE_URL: database.url,
        SANDBOX_BANK_DATABASE_URL: bank.href,
        TEMPORAL_ADDRESS: testTemporalAddress(),
        TEMPORAL_NAMESPACE: await takeNamespace(),
        MASTER_KEYS: `k1:${randomBytes(32).toString('base64')}`,
        SANDBOX_BANK_SECRET: randomBytes(32).toString('hex'),
        SANDBOX_BANK_URL: `http://127.0.0.1:${CONTROL}`,
        SANDBOX_BANK_PORT: String(BANK),
        SANDBOX_BANK_CONTROL_PORT: String(CONTROL),
        API_PORT: String(API),
        METRICS_PORT: String(METRICS),
        WORKER_METRICS_PORT: String(WORKER),
        WEBHOOKS_METRICS_PORT: String(WEBHOOKS),
      };
    }, BUILD_WITHIN_MS);

    afterAll(async () => {
      for (const { child } of running) child.kill('SIGKILL');
      await Promise.all(running.map(({ ended }) => ended));
      await database.drop();
    });

    it('migrates an empty database', async () => {
      const migrate = start('dist/prisma/base/migrate/main.js');
      expect({ ended: await migrate.ended, output: migrate.output() }).toEqual({
        ended: 0,
        output: expect.stringMatching(/^Applied /m),
      });
    });

    it('starts every process, and its health check passes', async () => {
      const before = start('dist/apps/platform/src/process/check-health.js', 'api');
      expect(await before.ended).toBe(1);
      for (const name of ['sandbox-bank', 'api', 'worker', 'webhooks'] as const) {
        const served = serve(name);
        await eventually(async () => {
          if (served.child.exitCode !== null) return;
          const check = start('dist/apps/platform/src/process/check-health.js', name);
          expect({ name, ended: await check.ended, output: check.output() }).toEqual({
            name,
            ended: 0,
            output: '',
          });
        });
        expect({ name, exitCode: served.child.exitCode, output: served.output() }).toEqual({
          name,
          exitCode: null,
          output: expect.not.stringMatching(/EROFS|connect\.not_built/),
        });
      }
    });

    it('runs operator commands', async () => {
      const command = start(
        'dist/apps/operator/src/main.js',
        'apps',
        'create',
        '--name',
        'In a box',
      );
      expect({ ended: await command.ended, output: command.output() }).toEqual({
        ended: 0,
        output: expect.stringContaining('In a box'),
      });
    });

    it('stops every process on SIGTERM with status 0', async () => {
      expect(running).toHaveLength(4);
      for (const { child } of running) child.kill('SIGTERM');
      const outcomes = await Promise.all(running.map(({ ended }) => ended));
      expect(outcomes).toEqual(running.map(() => 0));
    });
  },
);
