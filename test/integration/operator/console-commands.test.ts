import { ConsoleCodeRepository } from '../../../prisma/operations/console/console-code.repository.js';
import { ConsoleSessionRepository } from '../../../prisma/operations/console/console-session.repository.js';
import { runCommand } from '../../support/actors/operator.js';
import { storage, storageOfFile } from '../../support/fixtures/stored-link.js';

storageOfFile();

const run = (args: string[], more: Record<string, string> = {}) =>
  runCommand(args, {
    DATABASE_URL: storage.url,
    MASTER_KEYS: `test:${storage.masterKey.toString('base64')}`,
    ...more,
  });
const recorded = () =>
  storage.ctx.database.prisma.operatorAction.findMany({
    orderBy: { pk: 'asc' },
    select: { action: true, subject: true, outcome: true },
  });

describe('console sign-in', () => {
  it('prints an address of the console, whose code signs in the person that it names', async () => {
    const { stdout, status } = await run(['console', 'sign-in', '--label', 'ada'], {
      CONSOLE_BASE_URL: 'https://console.example/',
    });
    expect(status).toBe(0);
    const [, code = ''] = /^https:\/\/console\.example\/sign-in#code=(\S+)\n$/.exec(stdout) ?? [];
    expect(await new ConsoleCodeRepository(storage.ctx).use(code)).toEqual({
      role: 'operator',
      appId: null,
      isReadOnly: false,
      label: 'ada',
    });
    const rows = await recorded();
    expect(rows.at(-1)).toEqual({
      action: 'console sign-in',
      subject: '--role operator --label ada',
      outcome: 'succeeded',
    });
    expect(JSON.stringify(rows)).not.toContain(code);
  });

  it('names one app, for reading alone', async () => {
    const role = ['--role', 'app', '--app', 'pocket-ledger', '--read-only', '--label', 'support'];
    const { stdout } = await run(['console', 'sign-in', ...role]);
    const code = stdout.trim().split('#code=')[1] ?? '';
    expect(await new ConsoleCodeRepository(storage.ctx).use(code)).toEqual({
      role: 'app',
      appId: 'pocket-ledger',
      isReadOnly: true,
      label: 'support',
    });
  });

  it.each([
    [['--role', 'app'], '--role app goes with --app'],
    [['--app', 'pocket-ledger'], '--role app goes with --app'],
    [['--role', 'app', '--app', 'none'], 'There is no app none.'],
    [['--label', ''], '--label has 1 to 60 characters'],
    [['--label', 'a'.repeat(61)], '--label has 1 to 60 characters'],
  ])('is refused with %j, and makes no code', async (options, reason) => {
    const before = await storage.ctx.database.prisma.consoleCode.count();
    const { status, stderr } = await run(['console', 'sign-in', ...options]);
    expect([status === 0, stderr]).toEqual([false, expect.stringContaining(reason)]);
    expect(await storage.ctx.database.prisma.consoleCode.count()).toBe(before);
  });
});

describe('console sessions and console sign-out', () => {
  it('list who is signed in, and end the sessions of one person', async () => {
    const sessions = new ConsoleSessionRepository(storage.ctx);
    const grants = [{ role: 'app', appId: 'pocket-ledger', isReadOnly: true }] as const;
    await sessions.create('link:ada', grants);
    await sessions.create('link:ada', grants);
    await sessions.create('link:grace', [{ role: 'operator', appId: null, isReadOnly: false }]);
    const listed = async () => {
      const { stdout } = await run(['console', 'sessions', '--json']);
      return (JSON.parse(stdout) as { person: string; roles: string }[]).map(
        ({ person, roles }) => `${person} ${roles}`,
      );
    };
    expect((await listed()).sort()).toEqual([
      'link:ada pocket-ledger:read',
      'link:ada pocket-ledger:read',
      'link:grace operator',
    ]);
    const { stdout } = await run(['console', 'sign-out', '--person', 'link:ada']);
    expect(stdout).toBe('Sessions ended: 2.\n');
    expect(await listed()).toEqual(['link:grace operator']);
    await run(['console', 'sign-out', '--person', 'link:grace']);
    expect((await run(['console', 'sessions'])).stdout).toBe('No one is signed in.\n');
  });
});
