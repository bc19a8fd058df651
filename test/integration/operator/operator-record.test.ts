import { randomBytes } from 'node:crypto';
import { execFile } from 'node:child_process';
import { hostname, userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runCommand } from '../../support/actors/operator.js';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../support/services/embedded-services.js';
import { queryAt } from '../../support/services/postgres.mjs';

const MIGRATE = fileURLToPath(
  new URL('../../../dist/prisma/base/migrate/main.js', import.meta.url),
);

let database: TestDatabase;
let env: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  env = { DATABASE_URL: database.url, MASTER_KEYS: `k1:${randomBytes(32).toString('base64')}` };
});

afterAll(() => database.drop());

const recorded = () =>
  queryAt(database.url, 'SELECT actor, action, subject, outcome FROM operator_actions ORDER BY pk');

describe('The record of operators', () => {
  it('contains the operator of a command, its subject and its outcome, and no secret it printed', async () => {
    const before = (await recorded()).length;
    const { stdout } = await runCommand(
      ['apps', 'create', '--name', 'Recorded', '--by', 'ann', '--json'],
      env,
    );
    await runCommand(['clients', 'disable', 'sandbox_none'], env);
    await runCommand(['apps', 'list'], env);
    const create = { actor: 'ann', action: 'apps create', subject: '--name Recorded' };
    const disable = {
      actor: `${userInfo().username}@${hostname()}`,
      action: 'clients disable',
      subject: 'sandbox_none',
    };
    const rows = (await recorded()).slice(before);
    expect(rows).toEqual([
      { ...create, outcome: 'started' },
      { ...create, outcome: 'succeeded' },
      { ...disable, outcome: 'started' },
      { ...disable, outcome: 'failed' },
    ]);
    const { sandbox } = JSON.parse(stdout) as { sandbox: { client_secret: string } };
    expect(JSON.stringify(rows)).not.toContain(sandbox.client_secret);
  });

  it('writes one log line for each row', async () => {
    const lines: unknown[] = [];
    const before = (await recorded()).length;
    await runCommand(['apps', 'create', '--name', 'Logged'], env, {
      log: (fields, message) => void lines.push({ message, ...fields }),
    });
    expect(lines).toEqual(
      (await recorded()).slice(before).map((row) => ({ message: 'audit.command', ...row })),
    );
  });

  it('can be added to, but neither changed nor emptied, by the owner of the tables', async () => {
    const empty = await createEmptyDatabase();
    const role = `owner_${randomBytes(6).toString('hex')}`;
    const name = new URL(empty.url).pathname.slice(1);
    const asOwner = new URL(empty.url);
    [asOwner.username, asOwner.password] = [role, 'secret'];
    try {
      await queryAt(empty.url, `CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
      await queryAt(empty.url, `ALTER DATABASE ${name} OWNER TO ${role}`);
      await promisify(execFile)(process.execPath, [MIGRATE], {
        env: { PATH: process.env['PATH'], DATABASE_URL: asOwner.href },
      });
      await queryAt(
        asOwner.href,
        `INSERT INTO operator_actions (actor, action, subject, outcome) VALUES ('a', 'b', 'c', 'd')`,
      );
      for (const statement of [
        `UPDATE operator_actions SET actor = 'x'`,
        'DELETE FROM operator_actions',
        'TRUNCATE operator_actions',
      ])
        await expect(queryAt(asOwner.href, statement)).rejects.toThrow(
          'permission denied for table operator_actions',
        );
    } finally {
      await empty.drop();
      await queryAt(database.url, `DROP ROLE IF EXISTS ${role}`);
    }
  });
});
