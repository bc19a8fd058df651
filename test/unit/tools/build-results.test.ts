import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * A folder with our tools and the results of a build, and with stand-ins for the compilers that a
 * build runs.
 */
class Folder {
  private readonly path = mkdtempSync(join(tmpdir(), 'tributary-tools-'));

  constructor() {
    cpSync('tools', join(this.path, 'tools'), { recursive: true });
    this.write('package.json', '{ "type": "module", "version": "0.1.0" }');
    this.write('dist/apps/cli/src/main.js', 'console.log("ran", process.argv[2]);');
    this.write('dist/workflow-bundle.js');
    this.write('dist/build.json');
    this.write('node_modules/prisma/build/index.js');
    this.compilerEndsWith(0);
  }

  write(file: string, text = ''): void {
    mkdirSync(dirname(join(this.path, file)), { recursive: true });
    writeFileSync(join(this.path, file), text);
  }

  compilerEndsWith = (status: number) =>
    this.write('node_modules/typescript-7/bin/tsc', `process.exitCode = ${status};`);

  has = (file: string) => existsSync(join(this.path, file));

  run(...args: string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: this.path,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  }

  remove = () => rmSync(this.path, { recursive: true });
}

const CLI = 'apps/cli/src/main.js';

describe('A folder with the results of a build', () => {
  let folder: Folder;
  beforeEach(() => {
    folder = new Folder();
  });
  afterEach(() => folder.remove());

  it('is run without a build if there are no sources', () => {
    folder.compilerEndsWith(1);
    expect(folder.run('tools/run.mjs', '--quiet', CLI, 'status')).toEqual({
      status: 0,
      stdout: 'ran status\n',
      stderr: '',
    });
    expect(folder.has(`dist/${CLI}`)).toBe(true);
  });

  it('reports an entry that it does not have', () => {
    const { status, stderr } = folder.run('tools/run.mjs', '--quiet', 'apps/api/src/main.js');
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'dist/apps/api/src/main.js is missing. Copy dist from where it was built.\n',
    });
  });

  it('keeps the results when a build fails, and starts nothing', () => {
    folder.write('tsconfig.build.json');
    folder.compilerEndsWith(1);
    expect(folder.run('tools/run.mjs', '--quiet', CLI, 'status')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The build failed; nothing was started.\n',
    });
    expect(folder.has(`dist/${CLI}`)).toBe(true);
  });

  it('loses the results without a source when a build succeeds', () => {
    folder.write('tsconfig.build.json');
    folder.write('dist/apps/cli/src/renamed.js');
    folder.write('apps/cli/src/main.ts');
    expect(folder.run('tools/build.mjs').status).toBe(0);
    expect({
      cli: folder.has(`dist/${CLI}`),
      renamed: folder.has('dist/apps/cli/src/renamed.js'),
    }).toEqual({ cli: true, renamed: false });
  });
});
