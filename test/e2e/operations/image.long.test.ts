import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../apps/standalone/src/ports.js';
import { ENTRIES, type ServiceName } from '../../../apps/standalone/src/service/service-part.js';
import { eventually } from '../../support/assertions/eventually.js';
import { cannotConfine, startConfined, type ConfinedProcess } from './support/read-only-root.js';
import { replayDockerfile, type ReplayedImage } from './support/replay-dockerfile.js';
import {
  createEmptyDatabase,
  takeNamespace,
  testTemporalAddress,
  type TestDatabase,
} from '../../support/services/embedded-services.js';

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
