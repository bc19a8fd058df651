import { BEGIN_IN_INDEX_ORDER } from '../../../prisma/base/database/read-in-index-order.js';
import {
  recordPageStatement,
  type RecordFilter,
} from '../../../prisma/base/operator-actions/operator-record.js';
import { explain } from '../../support/assertions/explain-statement.js';
import { runCommand } from '../../support/actors/operator.js';
import { fillDatabase } from '../../support/fixtures/filled-database.js';
import { storageOfFile, storage } from '../../support/fixtures/stored-link.js';

storageOfFile();

const FIRST_AT = Date.parse('2026-03-01T00:00:00Z');
const MINUTE = 60_000;
let env: Record<string, string>;
beforeAll(async () => {
  env = { DATABASE_URL: storage.url, MASTER_KEYS: `test:${storage.masterKey.toString('base64')}` };
  const subjects = ['mk_one', 'first-bank --for 1h', 'mk_two --to other'];
  const actions = ['links move', 'institutions pause', 'institutions resume'];
  await storage.ctx.database.prisma.operatorAction.createMany({
    data: Array.from({ length: 30 }, (_, index) => ({
      actor: index % 2 === 0 ? 'ann' : 'bob',
      action: actions[index % 3] ?? '',
      subject: subjects[index % 3] ?? '',
      outcome: 'succeeded',
      createdAt: new Date(FIRST_AT + index * MINUTE),
    })),
  });
});

interface ShownRecord {
  actions: { number: string; created_at: string; actor: string; action: string; subject: string }[];
  before: string | null;
}
const record = async (...args: string[]): Promise<ShownRecord> => {
  const { status, stdout, stderr } = await runCommand(['record', ...args, '--json'], env);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as ShownRecord;
};

describe('record', () => {
  it.each([
    [['--actor', 'ann'], 15],
    [['--action', 'institutions pause'], 10],
    [['--action', 'institutions'], 20],
    [['--subject', 'mk_two'], 10],
    [['--subject', 'mk_two', '--actor', 'bob'], 5],
    [['--subject', 'mk'], 0],
    [['--before', '2026-03-01T00:10Z'], 10],
    [['--before', '2026-03-01T00:10Z', '--subject', 'mk_one'], 4],
    [['--before', '2020-01-01'], 0],
  ])('filtered by %j shows the %i that match, newest first', async (args, count) => {
    const { actions, before } = await record(...args);
    expect(actions).toHaveLength(count);
    expect(before).toBeNull();
    const times = actions.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
  });

  it('continues before the number that the last page printed, until every action was shown once', async () => {
    const all = await record();
    const pages: ShownRecord['actions'] = [];
    for (let next: string | null | undefined; next !== null;) {
      const page = await record('--limit', '7', ...(next === undefined ? [] : ['--before', next]));
      pages.push(...page.actions);
      next = page.before;
    }
    expect(pages).toEqual(all.actions);
    expect(all.actions).toHaveLength(30);
  });

  it('prints a table for people, with the way to older actions', async () => {
    const { stdout } = await runCommand(['record', '--limit', '2'], env);
    expect(stdout).toMatch(/^number +created_at +actor +action +subject +outcome\n/);
    expect(stdout).toMatch(/\n\nOlder ones: --before \d+\n$/);
  });

  it.each([
    ['--before', 'yesterday'],
    ['--limit', '501'],
  ])('refuses %s %s', async (name, value) => {
    expect((await runCommand(['record', name, value], env)).status).toBe(1);
  });
});

describe('--reason', () => {
  it.each([
    ['institutions', 'pause', 'test-bank'],
    ['institutions', 'resume', 'test-bank'],
    ['providers', 'pause', 'sandbox'],
    ['providers', 'resume', 'sandbox'],
    ['providers', 'disable', 'none'],
    ['clients', 'disable', 'none'],
    ['links', 'delete', 'mk_none'],
  ])('of %s %s is shown in the record with its subject', async (noun, verb, subject) => {
    await runCommand([noun, verb, subject, '--reason', ' its source is being repaired '], env);
    const { actions } = await record('--limit', '1');
    expect(actions).toMatchObject([
      { action: `${noun} ${verb}`, subject: `${subject} --reason its source is being repaired` },
    ]);
  });

  it.each([
    ['empty', ' '],
    ['longer than 200 characters', 'x'.repeat(201)],
    ['more than one line', 'one\ntwo'],
  ])('is refused if it is %s, before anything is recorded', async (_, reason) => {
    const before = await record('--limit', '1');
    const args = ['institutions', 'pause', 'test-bank', '--reason', reason];
    expect((await runCommand(args, env)).status).toBe(1);
    expect(await record('--limit', '1')).toEqual(before);
  });
});

describe('record with many actions', () => {
  const ACTIONS = Number(process.env['RECORDED_ACTIONS'] ?? 50_000);
  const LIMITS = [20, 500];
  let filled: Awaited<ReturnType<typeof fillDatabase>>;
  beforeAll(async () => {
    filled = await fillDatabase(`
      INSERT INTO operator_actions (actor, action, subject, outcome, created_at)
      SELECT CASE WHEN n % 1000 = 0 THEN 'rare' ELSE 'ann' END, CASE WHEN n % 1000 = 1 THEN 'keys rotate' ELSE 'links move' END,
             CASE WHEN n % 10 = 0 THEN 'mk_busy --to other' ELSE 'mk_' || n || ' --to other' END, 'succeeded', to_timestamp(${FIRST_AT / 1000} + n)
        FROM generate_series(1, ${ACTIONS}) AS n;
      ANALYZE operator_actions`);
  }, 600_000);
  afterAll(() => filled?.close());

  const middle = new Date(FIRST_AT + (ACTIONS / 2) * 1_000);
  it.each<[string, RecordFilter, Date | bigint | null]>([
    ['nothing', {}, null],
    ['nothing, from a number on', {}, BigInt(ACTIONS / 2)],
    ['nothing, from a time on', {}, middle],
    ['a time before all', {}, new Date(FIRST_AT - 1)],
    ['a rare actor', { actor: 'rare' }, null],
    ['an unknown actor', { actor: 'unknown' }, null],
    ['a rare action', { action: 'keys' }, null],
    ['a subject with many actions', { subject: 'mk_busy' }, null],
    ['a subject with many actions, from a time on', { subject: 'mk_busy' }, middle],
    ['a subject with one action', { subject: 'mk_7' }, null],
    ['an unknown subject', { subject: 'mk_none' }, null],
    ['a busy subject and a rare actor', { subject: 'mk_busy', actor: 'rare' }, null],
  ])(
    'reads at most ten actions for each that a page filtered by %s can hold',
    async (_, filter, before) => {
      for (const limit of LIMITS) {
        const { touched } = await explain(
          recordPageStatement(filter, { before, limit }),
          filled.ctx.database.pool,
          /^operator_actions$/,
          BEGIN_IN_INDEX_ORDER,
        );
        expect(touched).toBeLessThanOrEqual(10 * (limit + 1));
      }
    },
  );
});
