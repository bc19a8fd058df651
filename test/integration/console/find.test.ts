import { FIND } from '../../../apps/console-server/src/operations/find/find.js';
import { storage } from '../../support/fixtures/stored-link.js';
import { storyOf } from '../links/support/story-of-link.js';
import { ask, OPERATOR, READER, serviceOfFile } from './support/console-stage.js';

serviceOfFile();

const STRANGER = { ...READER, appId: 'other' };
let linkId: string;
let ids: Record<string, string>;
let user: string;
beforeAll(async () => {
  const { prisma } = storage.ctx.database;
  const story = await storyOf(storage, new Date('2026-03-01T00:00:00Z'));
  ({ linkId } = story.link);
  const eventPk = await story.event(1, { webhook_event: 'x' });
  const row = await prisma.link.findUniqueOrThrow({
    where: { linkId },
    include: { customerUser: true },
  });
  user = row.customerUser.userId;
  await prisma.providerConfiguration.create({
    data: { name: 'feed', adapter: 'feed', environment: 'live', settings: {} },
  });
  await prisma.institutionAlias.create({
    data: { alias: 'ins_1', institutionId: 'test-bank', provider: 'sandbox' },
  });
  ids = {
    link: linkId,
    session: await story.session(1),
    unlinkedSession: await story.session(2, { linkPk: null }),
    event: (await prisma.webhookEvent.findUniqueOrThrow({ where: { pk: eventPk } })).eventId,
    delivery: await story.delivery(eventPk),
    account: story.link.accounts.get('checking') ?? '',
    client: 'sandbox_pocket-ledger',
    institution: 'test-bank',
    alias: 'ins_1',
    user,
    app: 'pocket-ledger',
    provider: 'feed',
  };
});

const SANDBOX = '/a/pocket-ledger/sandbox';
const find = async (name: string, person = OPERATOR) =>
  (await ask(FIND, { q: ` ${ids[name]} ` }, { person })).map(({ kind, path }) => ({ kind, path }));

describe('Find', () => {
  it.each<[string, () => string]>([
    ['link', () => `${SANDBOX}/links/${linkId}`],
    ['session', () => `${SANDBOX}/links/${linkId}`],
    ['unlinkedSession', () => `${SANDBOX}/links/attempts?user=${user}`],
    ['event', () => `${SANDBOX}/webhooks/${ids['event']}`],
    ['delivery', () => `${SANDBOX}/webhooks/${ids['event']}?tab=attempts`],
    ['account', () => `${SANDBOX}/links/${linkId}`],
    ['client', () => '/a/pocket-ledger/keys/sandbox_pocket-ledger'],
  ])('leads a reader and an operator to the page of a %s', async (name, path) => {
    const found = await find(name);
    expect(found.map((each) => each.path)).toEqual([path()]);
    expect(await find(name, READER)).toEqual(found);
  });

  it.each(['link', 'session', 'event', 'delivery', 'account', 'client', 'user'])(
    'finds no %s of another app',
    async (name) => {
      expect(await find(name, STRANGER)).toEqual([]);
    },
  );

  it('leads to a bank by its id and its alias, a reader in the context of the app', async () => {
    const paths = ['/banks/test-bank', '/banks/test-bank?app=pocket-ledger&env=sandbox'];
    for (const name of ['institution', 'alias'])
      expect([await find(name), await find(name, READER)]).toEqual(
        paths.map((path) => [{ kind: 'institution', path }]),
      );
  });

  it('finds users for readers of their app, and apps and providers for operators', async () => {
    expect(await find('user', READER)).toEqual([
      { kind: 'user', path: `${SANDBOX}/links?user=${user}` },
    ]);
    expect(await find('user')).toEqual([]);
    expect(await find('app')).toEqual([{ kind: 'app', path: '/a/pocket-ledger/sandbox' }]);
    expect(await find('provider')).toEqual([{ kind: 'provider', path: '/providers/feed' }]);
    expect([await find('app', READER), await find('provider', READER)]).toEqual([[], []]);
  });

  it('finds nothing of an erased world', async () => {
    const { prisma } = storage.ctx.database;
    await prisma.link.update({ where: { linkId }, data: { environment: 'erased' } });
    expect([await find('link'), await find('account')]).toEqual([[], []]);
    await prisma.link.update({ where: { linkId }, data: { environment: 'sandbox' } });
  });

  it('refuses an empty text and one that is longer than an id', () => {
    for (const q of [' ', 'x'.repeat(201)]) expect(FIND.input.safeParse({ q }).success).toBe(false);
  });
});
