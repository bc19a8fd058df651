import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PAGES = ['deploy', 'proxy-and-tls', 'postgresql', 'rolling-restarts'];

/** What a command needs that a machine may not have; each says whether it is there. */
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
  'a machine or a cluster to install on': () => false,
} as const;

interface Command {
  /** Everything that it needs; a missing one makes the test a skipped one. */
  needs?: (keyof typeof NEEDS)[];
  /** How the test runs it, where that differs from the page: without effects outside of its folder. */
  as?: (line: string) => string;
  /** The test that runs it. */
  in?: string;
}

/** With an engine, compose says what it would do, and does nothing. */
const dry: Command = {
  needs: ['TEST_DOCKER=1 and a Docker engine with compose'],
  as: (line) => line.replace(/^docker compose/, 'docker compose --dry-run'),
};
/** Nothing here is tried on a machine or a cluster that someone uses. */
const onMachine: Command = { needs: ['a machine or a cluster to install on'] };

/** By the beginning of the line; the first that matches. Every command of the pages is here. */
const COMMANDS: [start: string, command: Command][] = [
  ['sh deploy/compose/make-secrets.sh', {}],
  ['openssl req', { needs: ['openssl'] }],
  ['cat secrets/proxy.crt', { needs: ['openssl'] }],
  ['echo BASE_URL', {}],
  ['docker build', { ...dry, as: (line) => line.replace('docker build', 'docker build --check') }],
  ['docker compose exec', onMachine],
  ['docker compose run', onMachine],
  ['docker compose', dry],
  ['kubectl kustomize', { needs: ['kubectl', 'kubernetes-validate'] }],
  ['kubectl', onMachine],
  ['npm ci && npm run build', { in: 'test/e2e/operations/image.long.test.ts' }],
  ['systemd-analyze verify', { needs: ['systemd-analyze'], as: verifyUnit }],
  ['systemctl', onMachine],
  ['DATABASE_URL_FILE=', { in: 'test/integration/database/migrations.test.ts' }],
  ['SECRETS=', { in: 'test/integration/database/roles.test.ts' }],
  ['haproxy -c', { needs: ['haproxy', 'openssl'], as: withCertificate }],
  ['nginx -t', { in: 'test/integration/deploy/proxies.test.ts' }],
  ['caddy validate', { needs: ['caddy'] }],
  ['curl', onMachine],
];

const documented = PAGES.flatMap((page) => {
  const text = readFileSync(`docs/operating/${page}.md`, 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block = '']) => block);
  return blocks.flatMap((block) => block.trim().split('\n')).map((line) => [page, line] as const);
});
const commandOf = (line: string) => COMMANDS.find(([start]) => line.startsWith(start))?.[1];

const folder = mkdtempSync(join(tmpdir(), 'tributary-deploy-'));

beforeAll(() => {
  // A clone in small: the commands write into it.
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

/** The unit where an operator has put it. */
function verifyUnit(line: string): string {
  return line.replace('/etc/systemd/system', 'deploy/systemd');
}

/** Of the trial that the page describes, where HAProxy looks for it. */
function withCertificate(line: string): string {
  return `sed 's#/run/secrets/#secrets/#' deploy/proxy/haproxy.cfg > haproxy.cfg && ${line.replace('deploy/proxy/', '')}`;
}

describe('a command of docs/operating about deploying', () => {
  it('is in the list of those that are run or need something', () => {
    expect(documented.length).toBeGreaterThan(20);
    expect(documented.filter(([, line]) => commandOf(line) === undefined)).toEqual([]);
    const unused = COMMANDS.filter(
      ([start]) => !documented.some(([, line]) => line.startsWith(start)),
    );
    expect(unused.map(([start]) => start)).toEqual([]);
  });

  for (const [page, line] of documented) {
    const { needs = [], as = (each: string) => each, in: other } = commandOf(line) ?? {};
    const missing = needs.filter((need) => !NEEDS[need]());
    if (other !== undefined)
      it(`${page}: ${line} (run by ${other})`, () => expect(existsSync(other)).toBe(true));
    else if (missing.length > 0)
      it.skip(`${page}: ${line} (needs ${missing.join(' and ')})`, () => undefined);
    else it(`${page}: ${line}`, () => run(as(line)));
  }
});
