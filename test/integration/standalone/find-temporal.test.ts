import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentProgress } from '../../../apps/standalone/src/progress.js';
import { buildTemporal } from '../../../apps/standalone/src/temporal/build-temporal.js';
import {
  findTemporal,
  firstAvailable,
  onPath,
} from '../../../apps/standalone/src/temporal/find-temporal.js';
import { buildTime, garbageCollection } from '../../../apps/standalone/src/temporal/go-install.js';
import { temporalCacheFolder } from '../../../apps/standalone/src/temporal/temporal-cache.js';

const folder = mkdtempSync(join(tmpdir(), 'tributary-find-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program named temporal, in a folder of its own. */
function program(name: string, script: string): string {
  mkdirSync(join(folder, name), { recursive: true });
  const path = join(folder, name, 'temporal');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const able = program('able', 'exit 0');
const unable = program('unable', 'echo unknown command >&2; exit 1');
const find = (env: NodeJS.ProcessEnv, cliPath?: string) =>
  findTemporal({ cliPath, env, progress: silentProgress });

describe('findTemporal', () => {
  it('uses TEMPORAL_CLI_PATH and tries nothing else', async () => {
    await expect(find({ PATH: '' }, able)).resolves.toBe(able);
    await expect(find({ PATH: join(folder, 'able') }, unable)).rejects.toThrow(
      `TEMPORAL_CLI_PATH names ${unable}, which cannot run a development server.`,
    );
    await expect(find({ PATH: join(folder, 'able') }, '/nowhere/temporal')).rejects.toThrow(
      'TEMPORAL_CLI_PATH names /nowhere/temporal, which is not there. Correct it, or leave it empty to have one found.',
    );
  });

  it('then uses the first program on PATH that can run a development server', async () => {
    const PATH = ['nowhere', 'unable', 'able'].map((name) => join(folder, name)).join(':');
    await expect(find({ PATH })).resolves.toBe(able);
    await expect(onPath({ PATH: join(folder, 'unable') })).resolves.toEqual({
      because: `${unable} cannot run a development server`,
    });
  });

  it("then uses the program in the user's cache, which is named by version", async () => {
    const env = { PATH: '', XDG_CACHE_HOME: join(folder, 'cache') };
    const cached = program(`cache/tributary/temporal/v1.5.1`, 'exit 0');
    expect(join(temporalCacheFolder(env), 'temporal')).toBe(cached);
    await expect(find(env)).resolves.toBe(cached);
  });

  it('builds one with Go into the cache, and reports the reason when it cannot', async () => {
    const cache = join(folder, 'built');
    await expect(buildTemporal(cache, { PATH: '' }, silentProgress)).resolves.toEqual({
      because: 'Go is not installed',
    });
    mkdirSync(join(folder, 'go'));
    const go = join(folder, 'go', 'go');
    const PATH = `${join(folder, 'go')}:/usr/bin:/bin`;
    writeFileSync(go, '#!/bin/sh\n[ "$1" = version ] && exit 0\necho no network >&2; exit 1\n');
    chmodSync(go, 0o755);
    await expect(buildTemporal(cache, { PATH }, silentProgress)).resolves.toEqual({
      because: 'the build failed: no network',
    });
    writeFileSync(go, '#!/bin/sh\n[ "$1" = version ] && exit 0\necho "$@" > "$GOBIN/temporal"\n');
    await expect(buildTemporal(cache, { PATH }, silentProgress)).resolves.toEqual({
      path: join(cache, 'temporal'),
    });
  });

  it('estimates the time of a build by the number of processors', () => {
    expect([1, 2, 4, 64].map((processors) => buildTime(7, processors))).toEqual([
      'about 8 minutes on 1 processor',
      'about 5 minutes on 2 processors',
      'about 3 minutes on 4 processors',
      'about 2 minutes on 64 processors',
    ]);
  });

  it('lets the compiler use more memory only where the machine has it', () => {
    const of = (gib: number, processors: number) => garbageCollection(gib * 1024 ** 3, processors);
    expect([of(1, 1), of(1.9, 2), of(2, 2), of(4, 16), of(8, 16)]).toEqual([
      '100',
      '100',
      '800',
      '100',
      '800',
    ]);
  });

  it('lists every option and the reason why it is unavailable when there is none', async () => {
    const tried = firstAvailable([
      ['on PATH', async () => ({ because: 'no temporal there' })],
      ['download', async () => ({ because: 'temporal.download cannot be reached' })],
    ]);
    await expect(tried).rejects.toThrow(
      [
        'No Temporal server was found, and none could be made:',
        '  - on PATH: no temporal there',
        '  - download: temporal.download cannot be reached',
        'Do one of these: name a running server in TEMPORAL_ADDRESS; put the Temporal CLI on PATH or its path into TEMPORAL_CLI_PATH;',
        'allow the download from temporal.download; or install Go.',
      ].join('\n'),
    );
  });
});
