import { globSync } from 'node:fs';
import { BuiltFolder } from './support/built-folder.js';

const STANDALONE = 'apps/standalone/src';
const noting = (line: string) =>
  `(await import('node:fs')).appendFileSync('order.log', ${line} + '\\n');`;

/** A folder whose stand-ins note the order in which they run. */
function folderWithStandIns(): BuiltFolder {
  const folder = new BuiltFolder();
  for (const file of globSync('test/**/*.mjs')) folder.copy(file);
  folder.write('docs/generators/generate-docs.mjs', 'export async function outdatedFiles() {}');
  // Watched for changes.
  for (const name of [
    'apps',
    'packages',
    'domain',
    'providers',
    'prisma',
    'activities',
    'workflows',
  ])
    folder.write(`${name}/.keep`);
  folder.write('tsconfig.build.json');
  folder.write(
    'node_modules/typescript-7/bin/tsc',
    noting(`'compiles ' + process.argv.find((each) => each.endsWith('.json'))`),
  );
  const library = (name: string, text: string) => {
    folder.write(`node_modules/${name}/package.json`, '{ "type": "module", "main": "index.js" }');
    folder.write(`node_modules/${name}/index.js`, text);
  };
  library('pg', 'export class Client {}\nexport class Pool {}');
  library('recheck', 'export async function check() {}');
  library('typescript', 'export default {};');
  folder.write('order.log');
  const program = (path: string, text = '') => {
    folder.write(`${STANDALONE}/${path}.ts`);
    folder.write(`dist/${STANDALONE}/${path}.js`, text);
  };
  program('main');
  program('demo');
  program('service/early-search', `export function beginSearch() {} ${noting("'searches'")}`);
  program('postgres/postgres-binaries', 'export async function findPostgres() {}');
  program(
    'temporal/go-install',
    `export async function hasGo() { ${noting("'searches'")} return false; }`,
  );
  return folder;
}

describe('A start of this project', () => {
  let folder: BuiltFolder;
  beforeEach(() => {
    folder = folderWithStandIns();
  });
  afterEach(() => folder.remove());
  const orderOf = (...args: string[]) => {
    // A stand-in that lacks a name would end the command before it looks for anything.
    expect(folder.run(...args).stderr).not.toMatch(/SyntaxError/);
    return folder.read('order.log').trim().split('\n');
  };

  it.each([
    ['npm start', ['tools/run.mjs', 'apps/standalone/src/main.js']],
    ['npm run demo', ['tools/run.mjs', 'apps/standalone/src/demo.js']],
    ['npm run dev', ['tools/dev.mjs']],
    ['npm test', ['tools/test.mjs', 'workflows']],
    ['npm run test:cluster', ['tools/test.mjs', 'cluster']],
  ])('looks for a Temporal server before it builds everything else: %s', (_command, args) => {
    const order = orderOf(...args);
    expect(order.slice(0, 2)).toEqual(['compiles tsconfig.early.json', 'searches']);
    expect(order.slice(2)).toContain('compiles tsconfig.build.json');
    expect(order.filter((line) => line === 'searches')).toHaveLength(1);
  });

  it.each([
    ['npm run operator', ['tools/run.mjs', '--quiet', 'apps/operator/src/main.js']],
    ['npm run test:unit', ['tools/test.mjs', 'unit']],
  ])('looks for no Temporal server where it needs none: %s', (_command, args) => {
    expect(orderOf(...args)).not.toContain('searches');
  });
});
