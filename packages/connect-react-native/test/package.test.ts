import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { minifySync } from '@swc/core';
import { version } from '../src/version';

const HERE = join(__dirname, '..');
const DIST = join(HERE, 'dist/esm');
/** Of our own code on a phone, minified as the bundle of an app is, and compressed. */
const MOST_BYTES = 9 * 1024;

const manifest = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8')) as {
  version: string;
  peerDependencies: Record<string, string>;
  dependencies: Record<string, string>;
};
const bin = (name: string): string => join(HERE, 'node_modules/.bin', name);
const files = (): string[] =>
  (readdirSync(DIST, { recursive: true }) as string[]).filter((file) => file.endsWith('.js'));

describe('The packed package (connect 13, check 8)', () => {
  let folder: string;
  let tarball: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-pack-'));
    tarball = pack('connect-react-native');
  });
  function pack(name: string): string {
    const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: join(HERE, '..', name),
      encoding: 'utf8',
    });
    return join(folder, (JSON.parse(packed) as { filename: string }[])[0]?.filename ?? '');
  }
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(['connect-react-native', 'connect-js', 'connect-react'])(
    'has nothing that publint or attw complains about, as have those beside it: %s',
    (name) => {
      const packed = pack(name);
      const run = (file: string, args: string[]) =>
        execFileSync(file, args, { cwd: HERE, encoding: 'utf8' });
      expect(run(bin('publint'), ['run', packed, '--strict'])).toContain('All good');
      expect(run(bin('attw'), [packed, '--format', 'ascii'])).toContain('No problems found');
    },
  );

  it('has no native code, and imports only what it declares', () => {
    const entries = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n');
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
    expect(gzipSync(minified.join('\n'), { level: 9 }).length).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('reports its own version to the service', () => {
    expect(version).toBe(manifest.version);
  });
});
