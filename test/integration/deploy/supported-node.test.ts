import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';

const SUPPORTED_NODE = 'apps/platform/src/process/supported-node.ts';
const { engines, scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  engines: { node: string };
  scripts: Record<string, string>;
};

const oldest = Number.parseInt(engines.node.slice('>='.length), 10);

const below = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
const sources = ['apps', 'simulators', 'prisma', 'activities', 'workflows', 'providers', 'domain']
  .flatMap(below)
  .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'));

/** Everything that names a program which people and machines start. */
const starters = [
  ...Object.values(scripts),
  ...['Dockerfile', 'docker-compose.yml', ...below('deploy')]
    .filter((file) => /(Dockerfile|\.(yml|yaml|service|conf|sh))$/.test(file))
    .map((file) => readFileSync(file, 'utf8')),
].join('\n');

/** The programs of dist, by the paths of their sources. */
const programs = [
  ...sources.filter((file) => file.endsWith('/main.ts')),
  ...[...starters.matchAll(/\bdist\/([\w/-]+)\.js\b|\brun\.mjs (?:--\w+ )?([\w/-]+)\.js\b/g)].map(
    ([, built, run]) => `${built ?? run}.ts`,
  ),
]
  .filter((file, index, all) => all.indexOf(file) === index)
  .sort();

/** The Node that runs the tests, when it is asked for its version. */
const PRETENDS =
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })";
const pretending = {
  program: process.execPath,
  args: ['--import', `data:text/javascript,${PRETENDS}`],
};

async function run({ program, args }: typeof pretending, ...further: string[]) {
  const child = spawn(program, [...args, ...further], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] },
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
  ]);
  return { status, stdout, stderr };
}

/** The older versions on PATH: `npm test` puts its own before that of the machine. */
async function olderOnPath() {
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => ({ program: join(folder, 'node'), args: [] }))
    .filter(({ program }) => existsSync(program));
  const old = await Promise.all(
    found.map(async (node) => Number.parseInt((await run(node, '--version')).stdout.slice(1), 10)),
  );
  return found.filter((_, index) => (old[index] ?? NaN) < oldest).slice(0, 1);
}

const REFUSAL = {
  status: 1,
  stdout: '',
  stderr: expect.stringMatching(
    new RegExp(`^Tributary needs Node ${oldest} or newer, and .* is Node [\\d.]+\\.\\n$`),
  ),
};

describe('A program of dist', () => {
  it('is found by this test, however it is started', () => {
    expect(programs).toEqual(
      expect.arrayContaining([
        'apps/api/src/main.ts',
        'apps/operator/src/main.ts',
        'apps/platform/src/process/check-health.ts',
        'simulators/sandbox-bank/main.ts',
        'apps/standalone/src/demo.ts',
        'simulators/vendors/main.ts',
        'apps/worker/src/recording/main.ts',
        'prisma/base/migrate/main.ts',
      ]),
    );
  });

  it.each(programs)('looks at the version of Node before it loads anything else: %s', (program) => {
    const [, first = ''] = /^import [^']*'([^']+)';/m.exec(readFileSync(program, 'utf8')) ?? [];
    expect(relative('.', join(program, '..', first)).replace(/\.js$/, '.ts')).toBe(SUPPORTED_NODE);
  });

  it.each(programs)(
    'refuses an older Node in one sentence, and runs nothing: %s',
    async (program) => {
      const built = join('dist', program.replace(/\.ts$/, '.js'));
      for (const node of [pretending, ...(await olderOnPath())])
        expect(await run(node, built)).toEqual(REFUSAL);
    },
  );
});
