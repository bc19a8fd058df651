import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BYTE_ORDER_MARK } from '../../../domain/exports/export-format.js';
import { runCommand as run } from '../../support/actors/operator.js';
import { createOperatorDatabase, env, rows } from './support/operator-database.js';

createOperatorDatabase();

describe('Export commands', () => {
  const folder = mkdtempSync(join(tmpdir(), 'exports-'));
  const fileOf = (name: string) => join(folder, name);
  const USER = ['users', 'export', 'pocket-ledger', 'sandbox'];
  beforeAll(async () => {
    await rows(
      `WITH app AS (INSERT INTO applications (app_id, name) VALUES ('pocket-ledger', 'App') RETURNING app_id),
            pair AS (INSERT INTO api_clients (client_id, app_id, environment) SELECT 'sandbox_pair', app_id, 'sandbox' FROM app RETURNING client_id),
            bank AS (INSERT INTO institutions (institution_id, name, country, environment, login) VALUES ('first-bank', 'First Bank', 'US', 'sandbox', 'none') RETURNING institution_id),
            person AS (INSERT INTO customer_users (app_id, environment, user_id) SELECT app_id, 'sandbox', 'ann' FROM app RETURNING pk)
       INSERT INTO links (link_id, app_id, environment, client_id, customer_user_pk, institution_id, provider, state, tags, connected_at)
       SELECT 'mk_1', 'pocket-ledger', 'sandbox', client_id, person.pk, institution_id, 'sandbox', 'connected', '{}', now() FROM pair, bank, person`,
      [],
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('write a user to a new file that only its owner reads, and record no id of the user', async () => {
    const file = fileOf('ann.jsonl');
    const args = [...USER, 'ann', '--format', 'jsonl', '--to', file];
    expect(await run(args, env)).toMatchObject({ status: 0 });
    const types = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual(['export', 'customer_user', 'link', 'end']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = readFileSync(file, 'utf8');
    expect(await run(args, env)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`${file} exists already: name a new file.`),
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(
      await rows(
        "SELECT subject, outcome FROM operator_actions WHERE outcome <> 'started' ORDER BY pk",
        [],
      ),
    ).toEqual([
      { subject: `pocket-ledger sandbox --to ${file}`, outcome: 'succeeded' },
      { subject: `pocket-ledger sandbox --to ${file}`, outcome: 'failed' },
    ]);
  });

  it('write a byte order mark before csv with --bom, and before nothing else', async () => {
    const file = fileOf('excel.csv');
    const args = ['links', 'export', 'mk_1', '--bom', '--to', file, '--format'];
    expect(await run([...args, 'jsonl'], env)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Only csv has a byte order mark.'),
    });
    expect(await run([...args, 'csv'], env)).toMatchObject({ status: 0 });
    expect(readFileSync(file).subarray(0, 10)).toEqual(Buffer.from(`${BYTE_ORDER_MARK}link_id`));
  });

  it.each([
    ['csv', /^link_id,/],
    ['json', /^\{"exported_at":/],
  ])('write a link as %s', async (format, start) => {
    const file = fileOf(`link.${format}`);
    const ended = await run(
      ['links', 'export', 'mk_1', '--format', format, '--to', file, '--json'],
      env,
    );
    expect(JSON.parse(ended.stdout)).toEqual({ file, format, bytes: statSync(file).size });
    expect(readFileSync(file, 'utf8')).toMatch(start);
  });

  it.each([
    [[...USER, 'bob'], 'There is no user bob in sandbox.'],
    [['users', 'export', 'none', 'sandbox', 'ann'], 'There is no app none.'],
    [['links', 'export', 'mk_none'], 'There is no link mk_none.'],
  ])('refuse what is unknown without a file: %j', async (args, message) => {
    const file = fileOf('none');
    expect(await run([...args, '--format', 'csv', '--to', file], env)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(message),
    });
    expect(() => statSync(file)).toThrow('ENOENT');
  });
});
