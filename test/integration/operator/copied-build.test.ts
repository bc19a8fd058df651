import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The files that docs/operating/deploy.md has operators copy to a machine. The modules are linked,
 * which is faster.
 */
const COPIED = ['dist', 'package.json', 'tools/with-node.sh', 'tools/run.mjs'];

describe('A copy of a build without its sources', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-copy-'));
  const npm = (...args: string[]) =>
    spawnSync('npm', args, { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH } });

  beforeAll(() => {
    for (const path of COPIED) cpSync(path, join(folder, path), { recursive: true });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('runs operator commands, and changes nothing in dist', () => {
    const files = () => readdirSync(join(folder, 'dist'), { recursive: true }).sort();
    const before = files();
    const { status, stdout } = npm('run', '-s', 'operator', '--', 'apps', 'list', '--help');
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^Usage: npm run -s operator -- apps list/),
    });
    expect(files()).toEqual(before);
  });

  it('runs migrations', () => {
    expect(npm('run', '-s', 'migrate').stderr).toMatch(/^DATABASE_URL is missing/);
  });
});
