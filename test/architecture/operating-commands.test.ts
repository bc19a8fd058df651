import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  SETTING_TABLE,
  type SettingDefinition,
} from '../../apps/platform/src/config/settings-table.js';

const FOLDER = 'docs/operating';

/** The requirements of a command that a machine may lack. Each reports whether it is available. */
const NEEDS = {
  openssl: () => succeeds('openssl', 'version'),
  kubectl: () => succeeds('kubectl', 'kustomize', '--help'),
  'kubernetes-validate': () => succeeds('kubernetes-validate', '--version'),
  'systemd-analyze': () => succeeds('systemd-analyze', '--version'),
  haproxy: () => succeeds('haproxy', '-v'),
  caddy: () => succeeds('caddy', 'version'),
  'TEST_DOCKER=1 and a Docker engine with compose': () =>
    process.env['TEST_DOCKER'] === '1' &&
    succeeds('docker', 'info') &&
    succeeds('docker', 'compose', 'version'),
  promtool: () => succeeds('promtool', '--version'),
  'a machine or a cluster to install on': () => false,
  'minutes of both processors': () => false,
} as const;

interface Command {
  /** All of its requirements. If one is missing, the test is skipped. */
  needs?: (keyof typeof NEEDS)[];
  /**
   * The test's version of the command, if it differs from the page: without effects outside of its
   * folder.
   */
  as?: (line: string) => string;
  /** The test that runs it. */
  in?: string;
}

/** With an engine, compose reports its actions without performing them. */
const dry: Command = {
  needs: ['TEST_DOCKER=1 and a Docker engine with compose'],
  as: (line) => line.replace(/^docker compose/, 'docker compose --dry-run'),
};
/** No test runs on a machine or a cluster that someone uses. */
const onMachine: Command = { needs: ['a machine or a cluster to install on'] };

const restore: Command = { in: 'test/integration/recovery/documented-restore.test.ts' };
const schedule: Command = { in: 'test/integration/operator/operator-commands.test.ts' };

/**
 * By the beginning of the line; the first match counts. Every command of the pages is listed here.
 */
const COMMANDS: [start: string, command: Command][] = [
  ['sh deploy/compose/make-secrets.sh', { as: inClone }],
  ['sed -i ', { as: inClone }],
  ['chmod 0400', { as: inClone }],
  ['openssl req', { needs: ['openssl'] }],
  ['cat secrets/proxy.crt', { needs: ['openssl'] }],
  ['echo BASE_URL', {}],
  ['docker build', { ...dry, as: (line) => line.replace('docker build', 'docker build --check') }],
  ['docker compose run', onMachine],
  ['docker compose', dry],
  ['kubectl kustomize', { needs: ['kubectl', 'kubernetes-validate'] }],
  ['kubectl', onMachine],
  ['npm ci && npm run build', { in: 'test/e2e/operations/image.long.test.ts' }],
  ['systemd-analyze verify', { needs: ['systemd-analyze'], as: verifyUnit }],
  ['systemctl', onMachine],
  ['systemd-run', onMachine],
  ['DATABASE_URL_FILE=/etc/tributary/secrets/owner_database_url MASTER_KEYS_FILE', restore],
  ['DATABASE_URL_FILE=/etc/tributary/secrets/drill_database_url', restore],
  ['(umask 077 && sed', restore],
  ['DATABASE_URL_FILE=', { in: 'test/integration/database/migrations.test.ts' }],
  ['SECRETS=', { in: 'test/integration/database/roles.test.ts' }],
  ['haproxy -c', { needs: ['haproxy', 'openssl'], as: withCertificate }],
  ['nginx -t', { in: 'test/integration/deploy/proxies.test.ts' }],
  ['caddy validate', { needs: ['caddy'] }],
  ['curl', onMachine],
  ['promtool', { needs: ['promtool'] }],
  ["sed 's#runbook_url", {}],
  ['npm run bench', { needs: ['minutes of both processors'] }],
  ['WORKER_FLAGS=', { needs: ['minutes of both processors'] }],
  ['grep -h', { in: 'test/e2e/operations/trace.test.ts' }],
  ['temporal workflow delete', onMachine],
  ['temporal workflow describe', { in: 'test/e2e/security/secrets.test.ts' }],
  ['temporal workflow metadata', { in: 'test/e2e/security/secrets.test.ts' }],
  ['temporal workflow show', { in: 'test/e2e/security/secrets.test.ts' }],
  ['npm run -s operator -- histories save', { in: 'test/e2e/operations/operator.test.ts' }],
  ['npm run -s operator -- --by', { in: 'test/integration/operator/operator-record.test.ts' }],
  ['npm run -s operator -- apps', { in: 'test/e2e/limits/app-bounds.test.ts' }],
  [
    'npm run -s operator -- clients',
    { in: 'test/integration/operator/client-secret-commands.test.ts' },
  ],
  ['npm run -s operator -- console', { in: 'test/integration/operator/console-commands.test.ts' }],
  ['npm run -s operator -- institutions', schedule],
  ['npm run -s operator -- providers pause', schedule],
  ['npm run -s operator -- links show', schedule],
  [
    'npm run -s operator -- quotas show',
    { in: 'test/integration/operator/quotas-command.test.ts' },
  ],
  ['npm run -s operator -- keys master', { in: 'test/e2e/operations/rewrap.test.ts' }],
  ['npm run -s operator -- temporal setup', { in: 'test/workflows/readiness.test.ts' }],
  ['npm run -s operator -- temporal versions', { in: 'test/workflows/worker-versions.test.ts' }],
  ['npm run -s operator -- recover', restore],
  ['DATABASE_URL=', restore],
  ...['pg_dump', 'pg_basebackup', 'pg_restore', 'createdb', 'dropdb', 'psql'].map(
    (program): [string, Command] => [program, restore],
  ),
];

const documented = readdirSync(FOLDER).flatMap((page) => {
  const text = readFileSync(join(FOLDER, page), 'utf8');
  const blocks = [...text.matchAll(/^ *```sh\n([^]*?)^ *```/gm)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/(^|\s+)#\s.*$/, '').trim())
    .filter((line) => line !== '')
    .map((line) => [page, line] as const);
});
/** `NAME=value`, in the form of an environment. */
const SETTING = /^([A-Z_]+)=\S+$/;
const commands = documented.filter(([, line]) => !SETTING.test(line));
/** Settings of Temporal's own UI. */
const OF_TEMPORAL_UI = ['TEMPORAL_CODEC_ENDPOINT', 'TEMPORAL_CODEC_PASS_ACCESS_TOKEN'];
const commandOf = (line: string) => COMMANDS.find(([start]) => line.startsWith(start))?.[1];

const folder = mkdtempSync(join(tmpdir(), 'tributary-deploy-'));

beforeAll(() => {
  // A small clone, into which the commands write.
  const files = execFileSync('git', ['ls-files', 'deploy', 'docker-compose.yml', 'Dockerfile'], {
    encoding: 'utf8',
  });
  for (const file of files.trim().split('\n')) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    copyFileSync(file, join(folder, file));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function succeeds(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { timeout: 20_000 }).status === 0;
}

function run(line: string): void {
  execFileSync('sh', ['-euc', line], { cwd: folder, stdio: 'pipe', timeout: 120_000 });
}

/** A folder of the clone in place of the one of the machine. */
function inClone(line: string): string {
  return line.replaceAll('/etc/tributary', 'etc/tributary');
}

/** The path where an operator has put the unit. */
function verifyUnit(line: string): string {
  return line.replace('/etc/systemd/system', 'deploy/systemd');
}

/** Files of the trial that the page describes, in the place where HAProxy looks for them. */
function withCertificate(line: string): string {
  return `sed 's#/run/secrets/#secrets/#' deploy/proxy/haproxy.cfg > haproxy.cfg && ${line.replace('deploy/proxy/', '')}`;
}

describe(`A setting of ${FOLDER}`, () => {
  it('exists', () => {
    const names = documented.flatMap(([, line]) => SETTING.exec(line)?.[1] ?? []);
    const known = Object.entries<SettingDefinition<unknown>>(SETTING_TABLE).flatMap(
      ([name, { secret }]) => (secret ? [name, `${name}_FILE`] : [name]),
    );
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => ![...known, ...OF_TEMPORAL_UI].includes(name))).toEqual([]);
  });
});

describe(`A command of ${FOLDER}`, () => {
  it('is in the list of those that are run or have requirements', () => {
    expect(commands.length).toBeGreaterThan(40);
    expect(commands.filter(([, line]) => commandOf(line) === undefined)).toEqual([]);
    const unused = COMMANDS.filter(
      ([start]) => !commands.some(([, line]) => line.startsWith(start)),
    );
    expect(unused.map(([start]) => start)).toEqual([]);
  });

  for (const [page, line] of commands) {
    const { needs = [], as = (each: string) => each, in: other } = commandOf(line) ?? {};
    const missing = needs.filter((need) => !NEEDS[need]());
    if (other !== undefined)
      it(`${page}: ${line} (run by ${other})`, () => expect(existsSync(other)).toBe(true));
    else if (missing.length > 0)
      it.skip(`${page}: ${line} (needs ${missing.join(' and ')})`, () => undefined);
    else it(`${page}: ${line}`, () => run(as(line)), 120_000);
  }
});
