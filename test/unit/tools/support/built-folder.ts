import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * A folder with our tools and the results of a build, and with stand-ins for the compilers that a
 * build runs.
 */
export class BuiltFolder {
  private readonly path = mkdtempSync(join(tmpdir(), 'tributary-tools-'));

  constructor() {
    cpSync('tools', join(this.path, 'tools'), { recursive: true });
    this.write('package.json', '{ "type": "module", "version": "0.1.0" }');
    this.write('dist/apps/operator/src/main.js', 'console.log("ran", process.argv[2]);');
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

  read = (file: string) => readFileSync(join(this.path, file), 'utf8');

  copy = (file: string) => cpSync(file, join(this.path, file));

  run(...args: string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: this.path,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], XDG_CACHE_HOME: this.path },
    });
    return { status, stdout, stderr };
  }

  remove = () => rmSync(this.path, { recursive: true });
}
