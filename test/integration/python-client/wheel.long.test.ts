import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithPythonClient } from '../../support/receivers/python-client.js';

describeWithPythonClient('The package of the Python client', (python) => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-wheel-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('installs into an empty environment, with its types and its dependencies', () => {
    const source = join(folder, 'source');
    cpSync('clients/python', source, { recursive: true });
    execFileSync(python, ['-m', 'venv', join(folder, 'venv')]);
    const installed = join(folder, 'venv', 'bin', 'python');
    execFileSync(installed, ['-m', 'pip', 'install', '--quiet', source], { stdio: 'pipe' });
    const printed = execFileSync(
      installed,
      [
        '-c',
        [
          'import importlib.resources, tributary',
          'print(tributary.Tributary(base_url="http://localhost"))',
          'print(importlib.resources.files(tributary).joinpath("py.typed").is_file())',
        ].join('\n'),
      ],
      { encoding: 'utf8', cwd: folder, env: {} },
    );
    expect(printed).toBe("Tributary(base_url='http://localhost', client_id=None)\nTrue\n");
  }, 300_000);
});
