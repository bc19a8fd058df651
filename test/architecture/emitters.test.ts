import { readdirSync, readFileSync } from 'node:fs';

/** Of a connection that its other end may close: the modules that make it, and their functions. */
const MAKERS = [
  { modules: ['node:net', 'node:tls', 'node:http2'], names: ['connect', 'createConnection'] },
  { modules: ['node:http', 'node:https'], names: ['request', 'get'] },
];
const LISTENS = /\.(on|once)\(\s*'error'|\bexpectLoss\(/g;
const POSTGRES = 'test/support/services/postgres.mjs';

const files = ['test', 'examples', 'clients', 'packages']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !/\/(node_modules|dist)\//.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** The names of values that a file imports from a module, as its code calls them. */
function importsFrom(text: string, module: string): { name: string; local: string }[] {
  const statement = new RegExp(`import (?!type )\\{([^}]*)\\} from '${module}'`, 'g');
  return [...text.matchAll(statement)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((each) => each.trim().split(' as '))
      .flatMap(([name = '', local = name]) => (/^\w+$/.test(name) ? [{ name, local }] : [])),
  );
}

/** The number of connections that the code of a file opens. */
function connectionsOf(text: string): number {
  const locals = MAKERS.flatMap(({ modules, names }) =>
    modules.flatMap((module) =>
      importsFrom(text, module).flatMap(({ name, local }) => (names.includes(name) ? [local] : [])),
    ),
  );
  return locals.reduce(
    (sum, local) => sum + countOf(text, new RegExp(`(?<![\\w.])${local}\\(`, 'g')),
    0,
  );
}

/** An 'error' event without a listener ends the process, and with it the test files that it runs. */
describe('Tests and samples', () => {
  it('connect to PostgreSQL only by functions that listen to the end of a connection', () => {
    const raw = files.filter(
      ({ path, text }) =>
        path !== POSTGRES && /from 'pg'/.test(text) && /\bnew (pg\.)?(Client|Pool)\(/.test(text),
    );
    expect(raw.map(({ path }) => path)).toEqual([]);
  });

  it('listen to the error of every connection that they open', () => {
    const deaf = files.filter(({ text }) => connectionsOf(text) > countOf(text, LISTENS));
    expect(deaf.map(({ path }) => path)).toEqual([]);
  });

  it('listen to the error of every connection that they accept', () => {
    const deaf = files.filter(
      ({ text }) =>
        importsFrom(text, 'node:net').some(({ name }) => name === 'createServer') &&
        /\bcreateServer\(\(/.test(text) &&
        countOf(text, LISTENS) === 0,
    );
    expect(deaf.map(({ path }) => path)).toEqual([]);
  });

  it('listen to the error of the standard input of a program that they write to', () => {
    const deaf = files.filter(
      ({ text }) =>
        /(?<!process)\.stdin\??\.(write|end)\(/.test(text) &&
        !/stdin\??\.(on|once)\('error'|expectLoss\([\w.]*stdin\)/.test(text),
    );
    expect(deaf.map(({ path }) => path)).toEqual([]);
  });
});
