import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { build, type Rolldown } from 'vite';
import { version } from '../../clients/node/src/generated/version.js';
import { installNodeClient } from '../support/packaging/packed-node-client.js';
import { representatives } from '../support/runner/representatives.js';
import { runProgram } from './support/run-program.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGE = join(ROOT, 'clients/node');
const TYPESCRIPT = join(ROOT, 'node_modules/typescript-7/bin/tsc');
const MAX_COMPRESSED_BYTES = 25 * 1_024;

/** A project that has installed the packed archive. */
let project: string;
let archive: string;

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'tributary-node-consumer-'));
  archive = await installNodeClient(project);
  const modules = join(project, 'node_modules');
  symlinkSync(join(ROOT, 'node_modules/@types'), join(modules, '@types'));
  symlinkSync(join(ROOT, 'node_modules/express'), join(modules, 'express'));
  cpSync(join(ROOT, 'test/sdk/node-consumer'), project, { recursive: true });
}, 120_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

const run = (...args: string[]) => runProgram(process.execPath, args, { cwd: project });

describe('The packed archive of @tributary/node', () => {
  it('has nothing that publint or attw object to', async () => {
    const { messages } = await publint({
      pkgDir: join(project, 'node_modules/@tributary/node'),
      strict: true,
    });
    expect(messages).toEqual([]);
    const analysis = await checkPackage(createPackageFromTarballData(readFileSync(archive)));
    expect(analysis).toMatchObject({ types: { kind: 'included' }, problems: [] });
  });

  const configs = ['tsconfig.json', 'tsconfig.worker.json', 'tsconfig.cjs.json'];
  // attw knows the types of CommonJS.
  it.each(representatives(configs, (config) => config !== 'tsconfig.cjs.json'))(
    'has types for a strict app compiled with %s',
    async (config) => {
      expect(await run(TYPESCRIPT, '-p', config)).toBe('');
    },
    120_000,
  );

  it('can be imported and required', async () => {
    const use = `const client = new tributary.Tributary({ baseUrl: 'https://api.example' }); console.log(tributary.version, typeof client.links.list)`;
    const printed = `${version} function\n`;
    expect(
      await run(
        '--input-type=module',
        '-e',
        `import * as tributary from '@tributary/node'; ${use}`,
      ),
    ).toBe(printed);
    expect(
      await run(
        '--input-type=commonjs',
        '-e',
        `const tributary = require('@tributary/node'); ${use}`,
      ),
    ).toBe(printed);
  });

  it('has the version that it reports, and no dependency', () => {
    const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as object;
    expect(manifest).toMatchObject({ version, license: 'Apache-2.0', sideEffects: false });
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('peerDependencies');
  });

  it('fits into 25 kB compressed, and imports nothing', async () => {
    const entry = join(project, 'node_modules/@tributary/node/dist/esm/index.js');
    const result = await build({
      configFile: false,
      logLevel: 'silent',
      root: project,
      build: {
        write: false,
        minify: true,
        target: 'es2022',
        lib: { entry, formats: ['es'], fileName: 'bundle' },
      },
    });
    const chunks = (result as Rolldown.RolldownOutput[]).flatMap(({ output }) => [...output]);
    expect(chunks).toMatchObject([{ type: 'chunk', imports: [], dynamicImports: [] }]);
    const code = chunks.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('');
    expect(gzipSync(code).length).toBeLessThan(MAX_COMPRESSED_BYTES);
  });

  it('reads only the variables that its README names', async () => {
    const program = `
      const read = new Set();
      const isOfNode = (name) => /^(NODE|WATCH)_/.test(name);
      process.env = new Proxy(process.env, {
        get: (target, name) => (isOfNode(name) || read.add(name), target[name]),
        ownKeys: (target) => (read.add('every variable'), Reflect.ownKeys(target)),
      });
      const { Tributary } = await import('@tributary/node');
      new Tributary({ baseUrl: process.argv[1] });
      try { new Tributary(); } catch {}
      console.log(JSON.stringify([...read]));`;
    const read = JSON.parse(
      await run('--input-type=module', '-e', program, 'https://api.example'),
    ) as string[];
    const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
    const [, options = ''] = /^## Options$([^]*?)^## /m.exec(readme) ?? [];
    const defaults = [...options.matchAll(/^\| [^|]+ \| ([^|]+) \|/gm)].map(([, cell]) => cell);
    const named = [...defaults.join().matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name);
    expect(read.sort()).toEqual(named.sort());
  });
});
