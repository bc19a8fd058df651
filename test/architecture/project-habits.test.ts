import { readFileSync, readdirSync } from 'node:fs';
import { parse } from 'yaml';

interface Workflow {
  jobs: {
    test: {
      container: string;
      strategy: { matrix: { node: string[] } };
      steps: { run?: string }[];
    };
  };
}

const { test: job } = (parse(readFileSync('.github/workflows/test.yml', 'utf8')) as Workflow).jobs;
const { engines, scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  engines: { node: string };
  scripts: Record<string, string>;
};

describe('the workflow that tests every change', () => {
  it('runs the commands of the README, and nothing else of npm', () => {
    const commands = job.steps.flatMap(({ run }) => (run?.includes('npm') ? [run] : []));
    expect(commands).toEqual(['npm ci', 'npm test']);
    expect(readFileSync('README.md', 'utf8')).toContain(commands.join(' && '));
  });

  it('tries the oldest supported version of Node and the lines after it', () => {
    const { node } = job.strategy.matrix;
    expect(engines.node).toBe(`>=${node[0]}`);
    expect(node.map((version) => version.split('.')[0])).toEqual(['20', '22', '24']);
    expect(job.container).toContain('${{ matrix.node }}');
  });
});

describe('CONTRIBUTING.md', () => {
  const page = readFileSync('CONTRIBUTING.md', 'utf8');

  it('lists commands that exist', () => {
    const named = [...page.matchAll(/npm run (?:-s )?([a-z][a-z0-9:-]*)/g)].map(
      ([, name]) => name ?? '',
    );
    const levels = named.filter((name) => name.endsWith(':'));
    expect(named.filter((name) => !levels.includes(name) && !(name in scripts))).toEqual([]);
  });

  it('describes every level of tests', () => {
    const levels = Object.keys(scripts).filter((name) => /^test:(?!all$)/.test(name));
    expect(levels.filter((name) => !page.includes(`\`${name.slice('test:'.length)}\``))).toEqual(
      [],
    );
  });
});

describe('a report or a pull request', () => {
  it('starts from a template', () => {
    expect(readdirSync('.github/ISSUE_TEMPLATE').sort()).toEqual([
      'bug.yml',
      'config.yml',
      'feature.yml',
    ]);
    expect(readFileSync('.github/pull_request_template.md', 'utf8')).toContain('`npm test`');
  });
});
