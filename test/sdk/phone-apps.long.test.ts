import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from './support/run-program.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const EXAMPLE = join(ROOT, 'examples/connect-expo');
const TYPESCRIPT = join(ROOT, 'node_modules/typescript-7/bin/tsc');
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];
const WITHIN_MS = 900_000;

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-phone-app-'));
  folders.push(folder);
  return folder;
};

beforeAll(async () => {
  await runProgram(process.execPath, ['tools/build-native.mjs'], { cwd: ROOT });
}, WITHIN_MS);
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

describe('The example for Expo', () => {
  beforeAll(async () => {
    await runProgram('npm', ['ci', ...QUIET], { cwd: EXAMPLE });
  }, WITHIN_MS);

  it('has no type errors', async () => {
    const compiler = join(EXAMPLE, 'node_modules/typescript/bin/tsc');
    await runProgram(process.execPath, [compiler, '-p', EXAMPLE], { cwd: EXAMPLE });
  });

  describe('bundled without a network', () => {
    let out: string;
    beforeAll(async () => {
      out = newFolder();
      const platforms = ['android', 'ios', 'web'].flatMap((name) => ['--platform', name]);
      const expo = join(EXAMPLE, 'node_modules/expo/bin/cli');
      // Metro's cache may contain the addresses of another run.
      const options = [...platforms, '--clear', '--output-dir', out];
      const env = { EXPO_OFFLINE: '1', CI: '1', EXPO_NO_TELEMETRY: '1' };
      await runProgram(process.execPath, [expo, 'export', ...options], {
        cwd: EXAMPLE,
        env: { ...env, EXPO_PUBLIC_CONNECT_BASE_URL: 'https://api.example/connect' },
      });
    }, WITHIN_MS);

    /** The one bundle of a platform: bytecode of Hermes, whose texts are readable, or JavaScript. */
    const bundle = (platform: string): { name: string; text: string } => {
      const folder = join(out, '_expo/static/js', platform);
      const names = readdirSync(folder);
      expect(names).toHaveLength(1);
      const name = names[0] ?? '';
      return { name, text: readFileSync(join(folder, name), 'latin1') };
    };

    it.each(['android', 'ios'])(
      'shows Connect in a WebView on %s and has the route of the return',
      (platform) => {
        const { name, text } = bundle(platform);
        expect(name).toMatch(/\.hbc$/);
        for (const part of [
          'RNCWebView',
          '__connectReceive',
          'bank-return',
          'ExpoWebBrowser',
          'https://api.example/connect',
        ])
          expect(text.includes(part) ? part : `${part} is missing`).toBe(part);
      },
    );

    it('uses connect-js on the web, and no WebView', () => {
      const { name, text } = bundle('web');
      expect(name).toMatch(/\.js$/);
      expect(text.includes('iframe') && text.includes('bank-return')).toBe(true);
      expect(text.includes('RNCWebView')).toBe(false);
    });
  });
});

const OLDEST = {
  react: '19.0.0',
  '@types/react': '19.0.14',
  'react-native': '0.79.7',
  'react-native-webview': '13.13.5',
};
const NEWEST = {
  react: '19.3.1',
  '@types/react': '19.3.0',
  'react-native': '0.88.1',
  'react-native-webview': '16.0.0',
};

/**
 * The README's instructions for an installation before the packages are published, in a clone with
 * a build.
 */
function installation(): string {
  const readme = readFileSync(join(ROOT, 'packages/connect-react-native/README.md'), 'utf8');
  const [, commands = ''] = /^## Before it is published\n.*?^```sh\n(.*?)^```/ms.exec(readme) ?? [];
  const [build, ...others] = commands.trim().split('\n');
  expect(build).toContain('node tools/build-native.mjs');
  return others.join('\n');
}

describe.each([
  ['the oldest supported versions', OLDEST],
  ['the newest versions', NEWEST],
])('connect-react-native with %s', (_, versions) => {
  let app: string;
  beforeAll(async () => {
    app = newFolder();
    const manifest = { private: true, dependencies: versions };
    writeFileSync(join(app, 'package.json'), JSON.stringify(manifest));
    symlinkSync(ROOT, join(app, 'tributary'));
    await runProgram('bash', ['-ec', installation()], { cwd: app });
  }, WITHIN_MS);

  /** Compiles the files in the folder of the app. */
  const compile = async (folder: string): Promise<void> => {
    const config = {
      extends: join(ROOT, 'packages/tsconfig.base.json'),
      compilerOptions: {
        target: 'es2022',
        lib: ['es2022'],
        jsx: 'react-jsx',
        types: ['react-native'],
        customConditions: ['react-native'],
        noEmit: true,
      },
      include: [folder],
    };
    writeFileSync(join(app, 'tsconfig.json'), JSON.stringify(config));
    await runProgram(process.execPath, [TYPESCRIPT, '-p', app], { cwd: app });
  };

  it('compiles', async () => {
    cpSync(join(ROOT, 'packages/connect-react-native/src'), join(app, 'src'), { recursive: true });
    await compile('src');
  });

  it('matches the app in its README', async () => {
    const readme = readFileSync(join(ROOT, 'packages/connect-react-native/README.md'), 'utf8');
    const programs = [...readme.matchAll(/^```tsx\n(.*?)^```/gms)].map(([, code = '']) => code);
    expect(programs).toHaveLength(2);
    mkdirSync(join(app, 'readme'));
    writeFileSync(join(app, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    programs.forEach((code, index) =>
      writeFileSync(
        join(app, `readme/program-${index}.tsx`),
        code.replace('your-back-end', '$&.js'),
      ),
    );
    writeFileSync(
      join(app, 'readme/your-back-end.ts'),
      `import type { ConnectSuccess } from '@tributary/connect-react-native';
       export declare function createSession(session: { redirectUri: string }): Promise<string>;
       export declare function storeResult(success: ConnectSuccess): Promise<void>;`,
    );
    await compile('readme');
  });
});
