// cspell:ignore csearch
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CLIENT_VARIABLES,
  describeWithPythonClient,
} from '../../support/receivers/python-client.js';
import { createTestDatabase } from '../../support/services/embedded-services.js';

const SEED = '1';

/** Random pages and failures. */
const check = (python: string, address: string) =>
  execFileSync(python, ['test/integration/python-client/check_stores.py', address, SEED], {
    encoding: 'utf8',
    env: CLIENT_VARIABLES,
  });

describeWithPythonClient('A store of examples/sync-stores-python', (python) => {
  it('keeps in SQLite what a store in memory keeps, and nothing of a page that fails', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-stores-'));
    try {
      expect(check(python, join(folder, 'copy.db'))).toBe('the same\n');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('keeps in PostgreSQL what a store in memory keeps, and nothing of a page that fails', async () => {
    const database = await createTestDatabase();
    try {
      const own = `${database.url}?options=-csearch_path%3Dcopies`;
      expect(check(python, own)).toBe('the same\n');
    } finally {
      await database.drop();
    }
  });
});
