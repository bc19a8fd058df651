import { spawnSync } from 'node:child_process';
import { REQUIREMENTS } from '../../../docs/generators/python-client.mjs';
import { describeWithPython } from '../../support/receivers/python.js';

/** The output of ruff about every Python file, if it has anything to say. */
const ruff = (python: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(
    python,
    [
      ...['-m', 'ruff', ...args, '--quiet', '--no-cache'],
      ...['--config', 'clients/python/pyproject.toml', 'clients', 'examples', 'test'],
    ],
    { encoding: 'utf8' },
  );
  return status === 0 ? '' : stdout + stderr;
};

describeWithPython(
  'The Python of the client, the examples and the tests',
  REQUIREMENTS,
  (python) => {
    it('passes ruff check', () => expect(ruff(python, 'check')).toBe(''));
    it('has the format of ruff', () => expect(ruff(python, 'format', '--diff')).toBe(''));
  },
  { modules: 'ruff', minVersion: [3, 11] },
);
