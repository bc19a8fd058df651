import { readFileSync, readdirSync } from 'node:fs';
import { parse } from 'yaml';

interface Workflow {
  jobs: {
    test: {
      container: string;
      strategy: {
        matrix: { node: string[]; command: string[]; include: { node: string; command: string }[] };
      };
      steps: { run?: string }[];
    };
  };
}

const { test: job } = (parse(readFileSync('.github/workflows/test.yml', 'utf8')) as Workflow).jobs;
const { engines, scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  engines: { node: string };
  scripts: Record<string, string>;
};

describe('The workflow that tests every change', () => {
  const { node, command, include } = job.strategy.matrix;

  it('runs the commands of the README, and beside them the long runs', () => {
    const commands = job.steps.flatMap(({ run }) => (/npm|command/.test(run ?? '') ? [run] : []));
    expect(commands).toEqual(['npm ci', '${{ matrix.command }}']);
    expect(readFileSync('README.md', 'utf8')).toContain(`npm ci && ${command.join()}`);
    expect(include).toEqual([{ node: node[1], command: 'npm run test:all' }]);
  });

  it('tests the line of Node that the service supports, the next one, and one that is only sufficient for npm ci', () => {
    expect(node).toEqual(['20.19', '24', '26']);
    expect(engines.node).toBe(`>=${node[1]}`);
    expect(job.container).toContain('${{ matrix.node }}');
  });
});

describe('Every npm script', () => {
  it('runs on the Node of this project if the machine has an older one', () => {
    const started = /^(exec )?sh tools\/with-node\.sh (node|sh|oxlint|oxfmt)( |$)/;
    expect(Object.entries(scripts).filter(([, command]) => !started.test(command))).toEqual([]);
  });

  it('finds one Node for each platform in tools/own-node, which the service supports', () => {
    const { optionalDependencies } = JSON.parse(
      readFileSync('tools/own-node/package.json', 'utf8'),
    ) as { optionalDependencies: Record<string, string> };
    expect(Object.values(optionalDependencies)).toEqual(
      Object.keys(optionalDependencies).map(() => expect.stringMatching(/^24\.\d+\.\d+$/)),
    );
    const { packages } = JSON.parse(readFileSync('tools/own-node/package-lock.json', 'utf8')) as {
      packages: Record<string, { version: string; os?: string; cpu?: string; integrity?: string }>;
    };
    const locked = Object.values(packages).flatMap(({ os, cpu, integrity }) =>
      integrity === undefined ? [] : [`${os} ${cpu}`],
    );
    expect(locked.sort()).toEqual(['darwin arm64', 'darwin x64', 'linux arm64', 'linux x64']);
  });
});

describe('A published package', () => {
  it.each([
    'packages/connect-js',
    'packages/connect-react',
    'packages/connect-react-native',
    'clients/node',
    'clients/cli',
  ])('supports Node 22: %s', (folder) => {
    const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as {
      engines: { node: string };
    };
    expect(manifest.engines.node).toBe('>=22');
  });
});

describe('The pages for contributors', () => {
  const pages = readdirSync('docs/contributing').map((name) => `docs/contributing/${name}`);
  const page = ['CONTRIBUTING.md', ...pages].map((path) => readFileSync(path, 'utf8')).join('\n');

  it('lists commands that exist', () => {
    const named = [...page.matchAll(/npm run (?:-s )?([a-z][a-z0-9:-]*)/g)].map(
      ([, name]) => name ?? '',
    );
    const levels = named.filter((name) => name.endsWith(':'));
    expect(named.filter((name) => !levels.includes(name) && !(name in scripts))).toEqual([]);
  });

  it('describes every level of tests', () => {
    const levels = Object.keys(scripts).filter((name) => /^test:(?!(all|long)$)/.test(name));
    expect(levels.filter((name) => !page.includes(`\`${name.slice('test:'.length)}\``))).toEqual(
      [],
    );
  });
});

describe('A report or a pull request', () => {
  it('starts from a template', () => {
    expect(readdirSync('.github/ISSUE_TEMPLATE').sort()).toEqual([
      'bug.yml',
      'config.yml',
      'feature.yml',
    ]);
    expect(readFileSync('.github/pull_request_template.md', 'utf8')).toContain('`npm test`');
  });
});
