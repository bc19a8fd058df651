import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { version } from '../../clients/mcp/src/generated/version.js';
import { runProgram } from './support/run-program.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A project that has installed the packed archives. */
let project: string;
beforeAll(async () => {
  await runProgram(process.execPath, ['tools/build-packages.mjs', '--quiet'], { cwd: ROOT });
  project = mkdtempSync(join(tmpdir(), 'tributary-mcp-host-'));
  const packed = await runProgram(
    'npm',
    ['pack', '--silent', '--pack-destination', project, './clients/node', './clients/mcp'],
    { cwd: ROOT },
  );
  const archives = packed.trim().split('\n');
  await runProgram(
    'npm',
    [
      'install',
      '--prefix',
      project,
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      ...archives.map((name) => `./${name}`),
    ],
    { cwd: project },
  );
}, 240_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

describe('The packed archive of @tributary/mcp', () => {
  it('has nothing that publint objects to, and the version that it reports', async () => {
    const pkgDir = join(project, 'node_modules/@tributary/mcp');
    expect((await publint({ pkgDir, strict: true })).messages).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(pkgDir, 'package.json'), 'utf8')) as object;
    expect(manifest).toMatchObject({ version, dependencies: { '@tributary/node': version } });
  });

  it.each(['tributary-mcp-data', 'tributary-mcp-developer'])(
    'installs the command %s, which says what it needs',
    (name) => {
      const { status, stdout, stderr } = spawnSync(join(project, 'node_modules/.bin', name), {
        env: { PATH: process.env.PATH },
        encoding: 'utf8',
      });
      expect({ status, stdout, stderr }).toEqual({
        status: 1,
        stdout: '',
        stderr: `${name}: The environment lacks TRIBUTARY_URL, CLIENT_ID, CLIENT_SECRET. Add it to the entry of this server in its host, and start it again.\n`,
      });
    },
  );
});
