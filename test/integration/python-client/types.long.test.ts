// cspell:ignore MYPYPATH
import { spawnSync } from 'node:child_process';
import { describeWithPythonClient } from '../../support/receivers/python-client.js';

describeWithPythonClient('The types of the Python client', (python) => {
  it('satisfy mypy in strict mode, as do the examples and an app', () => {
    const { status, stdout, stderr } = spawnSync(
      python,
      [
        ...['-m', 'mypy', '--strict', '--warn-unused-ignores', '--cache-dir', '/dev/null'],
        'clients/python/src/tributary',
        'examples/sync-stores-python/sqlite_store.py',
        'examples/sync-stores-python/postgresql_store.py',
        'examples/webhook-receiver-python/server.py',
        'test/integration/python-client/typed_app.py',
      ],
      { encoding: 'utf8', env: { ...process.env, MYPYPATH: 'clients/python/src' } },
    );
    expect({ status, output: stdout + stderr }).toEqual({
      status: 0,
      output: expect.stringContaining('Success'),
    });
  }, 120_000);
});
