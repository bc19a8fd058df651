import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { version as jsVersion } from '../../packages/connect-js/src/generated/version.js';
import { version as reactVersion } from '../../packages/connect-react/src/generated/version.js';
import { representatives } from '../support/runner/representatives.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Manifest {
  name: string;
  version: string;
  license: string;
  sideEffects: boolean;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

function node(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  if (status !== 0) throw new Error(`node ${args[0]} ended with ${status}:\n${stdout}${stderr}`);
  return stdout.trim();
}

const manifest = (name: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')) as Manifest;

/** The imports of the published code and types, except for files of the package that exist. */
function importsOf(name: string, format: string): string[] {
  const folder = join(ROOT, 'packages', name, 'dist', format);
  const files = globSync('**/*.{js,ts}', { cwd: folder });
  const outside = files.flatMap((file) => {
    const code = readFileSync(join(folder, file), 'utf8');
    return [...code.matchAll(/\b(?:from|import|require)\s*\(?(['"])([^'"]+)\1/g)]
      .map((match) => match[2] ?? '')
      .filter((path) => {
        const target = join(dirname(file), path);
        const found = [target, target.replace(/\.js$/, '.d.ts')];
        return !path.startsWith('.') || !found.some((each) => files.includes(each));
      });
  });
  return [...new Set(outside)].sort();
}

// Everything a consumer of either module system imports, without a browser environment.
const USE = `
  if (typeof window !== 'undefined' || typeof document !== 'undefined') throw new Error('this is not a server');
  const { createConnect, ConnectConfigurationError, version } = connectJs;
  const { ConnectButton, OAuthReturn, useConnect } = connectReact;
  const connect = createConnect({ connectBaseUrl: 'https://api.example/connect', onSuccess() {} });
  connect.update({ appearance: 'dark' });
  connect.exit();
  connect.destroy();
  try { connect.open({ linkSessionToken: '' }); throw new Error('accepted an empty token'); } catch (error) { if (!(error instanceof ConnectConfigurationError)) throw error; }
  const props = { connectBaseUrl: 'https://api.example/connect', linkSessionToken: 'token', onSuccess() {} };
  const Status = () => useConnect(props).status;
  console.log(version, server.renderToString(react.createElement('div', null,
    react.createElement(ConnectButton, props, 'Link a bank'), react.createElement(OAuthReturn, props, 'One moment'), react.createElement(Status))));
`;
const RENDERED =
  '0.1.0 <div><button type="button" aria-haspopup="dialog">Link a bank</button>One moment<!-- -->idle</div>';

// Features that React Native lacks or implements differently are removed before the core is loaded.
const USE_CORE = `
  for (const name of ['URL', 'URLSearchParams', 'crypto', 'TextEncoder', 'fetch', 'btoa', 'setTimeout']) delete globalThis[name];
  const core = require('@tributary/connect-js/core');
  const init = core.phoneInit({ linkSessionToken: core.checkToken('token'), locale: 'de', platform: 'ios', sdk: { name: 'x', version: '1' } });
  const said = core.readMessageText(JSON.stringify(core.makeEnvelope('channel', 'init', init)), 'channel');
  console.log(said.type, core.readBaseAddress('https://api.example/connect/'), core.isSameOrigin('https://api.example/a', 'https://api.example:443/b'),
    core.readStateId('exp://10.0.0.2:8081/--/return?oauth_state_id=0b8f4c7e-5a0d-4f0e-9d53-6f4f9d1c2a77'), core.loadingTexts('de').close);
`;

describe('The built packages (connect 13, check 8)', () => {
  beforeAll(() => {
    node('tools/build-packages.mjs', '--quiet');
  }, 120_000);

  it('can be imported and rendered on a server', () => {
    expect(
      node(
        '--input-type=module',
        '-e',
        `
      import * as connectJs from '@tributary/connect-js';
      import * as connectReact from '@tributary/connect-react';
      import * as react from 'react';
      import * as server from 'react-dom/server';
      ${USE}`,
      ),
    ).toBe(RENDERED);
  });

  it('can be required and rendered on a server', () => {
    expect(
      node(
        '-e',
        `
      const connectJs = require('@tributary/connect-js');
      const connectReact = require('@tributary/connect-react');
      const react = require('react');
      const server = require('react-dom/server');
      ${USE}`,
      ),
    ).toBe(RENDERED);
  });

  it('have a core that needs nothing of a browser', () => {
    expect(node('-e', USE_CORE)).toBe(
      'init https://api.example/connect true 0b8f4c7e-5a0d-4f0e-9d53-6f4f9d1c2a77 Schließen',
    );
    expect(
      node(
        '--input-type=module',
        '-e',
        `import { version } from '@tributary/connect-js/core'; console.log(version);`,
      ),
    ).toBe(jsVersion);
  });

  const configs = ['tsconfig.json', 'tsconfig.bundler.json', 'tsconfig.phone.json'];
  it.each(representatives(configs, (config) => config === 'tsconfig.json'))(
    'have types for an app compiled with %s',
    (config) => {
      expect(
        node('node_modules/typescript-7/bin/tsc', '-p', join('test/sdk/consumer', config)),
      ).toBe('');
    },
    120_000,
  );

  it('import only the packages that they declare', () => {
    for (const format of ['esm', 'cjs']) {
      expect(importsOf('connect-js', format)).toEqual([]);
      expect(importsOf('connect-react', format)).toEqual([
        '@tributary/connect-js',
        'react',
        'react/jsx-runtime',
      ]);
    }
    expect(manifest('connect-js').dependencies).toBeUndefined();
    expect(manifest('connect-react').dependencies).toEqual({
      '@tributary/connect-js': manifest('connect-js').version,
    });
    expect(manifest('connect-react').peerDependencies).toEqual({ react: '^18.0.0 || ^19.0.0' });
  });

  it.each(['connect-js', 'connect-react'])(
    'have nothing that publint or attw object to: %s',
    async (name) => {
      const pkgDir = join(ROOT, 'packages', name);
      expect((await publint({ pkgDir, strict: true })).messages).toEqual([]);
      const folder = mkdtempSync(join(tmpdir(), 'tributary-packed-'));
      const [archive = ''] = spawnSync(
        'npm',
        ['pack', '--silent', '--pack-destination', folder, pkgDir],
        { encoding: 'utf8' },
      ).stdout.split('\n');
      const packed = createPackageFromTarballData(readFileSync(join(folder, archive)));
      rmSync(folder, { recursive: true });
      expect(await checkPackage(packed)).toMatchObject({
        types: { kind: 'included' },
        problems: [],
      });
    },
    60_000,
  );

  it('report their own version to the service', () => {
    expect(jsVersion).toBe(manifest('connect-js').version);
    expect(reactVersion).toBe(manifest('connect-react').version);
  });

  it('declare that bundlers may drop unused code', () => {
    for (const name of ['connect-js', 'connect-react'])
      expect(manifest(name)).toMatchObject({ license: 'Apache-2.0', sideEffects: false });
  });
});
