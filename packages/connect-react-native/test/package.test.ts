import { execFileSync } from 'node:child_process';
import {
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
import { gzipSync } from 'node:zlib';
import { minifySync } from '@swc/core';
import { version } from '../src/version';

const HERE = join(__dirname, '..');
const DIST = join(HERE, 'dist/esm');
/** The size of our own code on a phone, minified as the bundle of an app is, and compressed. */
const MAX_BYTES = 10.5 * 1024;

const manifest = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8')) as {
  version: string;
  peerDependencies: Record<string, string>;
  dependencies: Record<string, string>;
};
const bin = (name: string): string => join(HERE, 'node_modules/.bin', name);
const files = (): string[] =>
  (readdirSync(DIST, { recursive: true }) as string[]).filter((file) => file.endsWith('.js'));

describe('The packed package (connect 13, check 8)', () => {
  const packages = ['connect-react-native', 'connect-js', 'connect-react'] as const;
  type Package = (typeof packages)[number];
  const tarballs = {} as Record<Package, string>;
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-pack-'));
    const packed = execFileSync(
      'npm',
      ['pack', '--json', '--pack-destination', folder, ...packages.map((name) => `../${name}`)],
      { cwd: HERE, encoding: 'utf8' },
    );
    for (const { name, filename } of JSON.parse(packed) as { name: string; filename: string }[])
      tarballs[name.replace('@tributary/', '') as Package] = join(folder, filename);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(packages)(
    'has no problem that publint or attw reports, nor have those beside it: %s',
    (name) => {
      const packed = tarballs[name];
      const run = (file: string, args: string[]) =>
        execFileSync(file, args, { cwd: HERE, encoding: 'utf8' });
      expect(run(bin('publint'), ['run', packed, '--strict'])).toContain('All good');
      expect(run(bin('attw'), [packed, '--format', 'ascii'])).toContain('No problems found');
    },
  );

  it.each(packages)('has the license, and no link to a file that it lacks: %s', (name) => {
    const read = (file: string) =>
      execFileSync('tar', ['-xzOf', tarballs[name], `package/${file}`], { encoding: 'utf8' });
    expect(read('LICENSE')).toBe(readFileSync(join(HERE, '../../LICENSE'), 'utf8'));
    expect([...read('README.md').matchAll(/\]\((?!#|https:)[^)]*\)/g)].flat()).toEqual([]);
  });

  it('is imported, and opens a flow, in an app whose Jest has only the preset of React Native', () => {
    const app = newApp({
      'package.json': JSON.stringify({
        private: true,
        jest: { preset: '@react-native/jest-preset' },
      }),
      'babel.config.js': "module.exports = { presets: ['module:@react-native/babel-preset'] };",
      'import.test.tsx': `
        import { useConnect } from '@tributary/connect-react-native';
        it('imports the entry of phones', () => {
          expect(useConnect).toBeInstanceOf(Function);
          expect(require.resolve('@tributary/connect-react-native')).toMatch(/cjs.index[.]js$/);
        });`,
      'flow.test.tsx': `
        import { fireEvent, render, screen } from '@testing-library/react-native';
        import { Button } from 'react-native';
        import { ConnectProvider, useConnect } from '@tributary/connect-react-native';
        jest.mock('react-native-webview', () => ({ WebView: 'WebView' }));
        function LinkABank() {
          const { presentLinkFlow, status } = useConnect();
          const link = () => presentLinkFlow({ linkSessionToken: 'token', onSuccess() {} });
          return <Button title={status} onPress={link} />;
        }
        it('opens a flow', async () => {
          await render(<ConnectProvider connectBaseUrl="https://api.example/connect"><LinkABank /></ConnectProvider>);
          await fireEvent.press(screen.getByText('idle'));
          expect(screen.getByText('opening', { includeHiddenElements: true })).toBeTruthy();
          await screen.unmount();
        });`,
    });
    const jest = join(HERE, 'node_modules/jest/bin/jest.js');
    // All of React Native is compiled in the first test, while other levels run.
    const args = [jest, '--testTimeout', '600000'];
    const run = () => execFileSync(process.execPath, args, { cwd: app, stdio: 'pipe' });
    expect(run).not.toThrow();
  });

  /** An app with the packed packages, and the other packages of an app with React Native. */
  function newApp(sources: Record<string, string>): string {
    const app = join(folder, 'app');
    const own = join(app, 'node_modules/@tributary');
    mkdirSync(own, { recursive: true });
    for (const name of readdirSync(join(HERE, 'node_modules')))
      if (name !== '@tributary' && !name.startsWith('.'))
        symlinkSync(join(HERE, 'node_modules', name), join(app, 'node_modules', name));
    for (const name of ['connect-js', 'connect-react-native'] as const) {
      mkdirSync(join(own, name));
      execFileSync('tar', [
        '-xzf',
        tarballs[name],
        '-C',
        join(own, name),
        '--strip-components',
        '1',
      ]);
    }
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(app, name), text);
    return app;
  }

  it('has no native code, and imports only the packages that it declares', () => {
    const entries = execFileSync('tar', ['-tzf', tarballs['connect-react-native']], {
      encoding: 'utf8',
    }).split('\n');
    expect(entries.filter((entry) => /\/(ios|android)\/|\.podspec$|plugin/.test(entry))).toEqual(
      [],
    );
    const imported = files()
      .map((file) => readFileSync(join(DIST, file), 'utf8'))
      .flatMap((code) =>
        [...code.matchAll(/\b(?:from |require\()['"]([^'".][^'"]*)['"]/g)].map((match) => match[1]),
      );
    expect([...new Set(imported)].sort()).toEqual([
      '@tributary/connect-js',
      '@tributary/connect-js/core',
      'expo-web-browser',
      'react',
      'react-native',
      'react-native-webview',
      'react/jsx-runtime',
    ]);
  });

  it('is small', () => {
    const phone = files().filter((file) => !file.startsWith('web/') && file !== 'index.web.js');
    const code = phone.map((file) => readFileSync(join(DIST, file), 'utf8'));
    const minified = code.map((text) => minifySync(text, { module: true }).code);
    expect(gzipSync(minified.join('\n'), { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('reports its own version to the service', () => {
    expect(version).toBe(manifest.version);
  });
});
