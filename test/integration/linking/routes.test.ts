import { randomUUID } from 'node:crypto';
import { NoRoute } from '../../../domain/institutions/no-route.js';
import { combineRequestedProducts } from '../../../domain/link/products.js';
import { ConfigurationCheckRepository } from '../../../prisma/work/providers/configuration-check.repository.js';
import { RouteHealthRepository } from '../../../prisma/sources/routing/route-health.repository.js';
import { RouteOperatorRepository } from '../../../prisma/sources/routing/route-operator.repository.js';
import {
  ATTEMPT,
  connectedLink,
  MINUTE,
  openedSession,
  RENEWED,
  shown,
  TENANT,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';

const PRODUCTS = ['accounts', 'account_numbers', 'identity', 'transactions'];

storeOfFile();

let operator: RouteOperatorRepository;
beforeAll(() => {
  operator = new RouteOperatorRepository(store.ctx);
});

beforeEach(async () => {
  const { prisma } = store.ctx.database;
  await prisma.routeHealth.deleteMany();
  await prisma.appProvider.deleteMany();
  await prisma.institutionRoute.deleteMany({ where: { provider: { not: 'sandbox' } } });
  await prisma.providerConfiguration.deleteMany();
});

/** Another configuration that reaches first-bank. */
async function configured(name: string, more: { enabled?: boolean; broken?: boolean } = {}) {
  const { prisma } = store.ctx.database;
  await prisma.providerConfiguration.create({
    data: { name, adapter: 'simplefin', environment: 'sandbox', settings: {}, ...more },
  });
  await prisma.institutionRoute.create({
    data: {
      institutionId: 'first-bank',
      provider: name,
      remoteId: `${name}-first`,
      login: 'form',
      products: PRODUCTS,
    },
  });
}

const relinkOf = (linkId: string) =>
  openedSession(store, {
    mode: 'relink',
    existingLinkId: linkId,
    products: combineRequestedProducts({}),
    webhook: undefined,
    tags: undefined,
  });
const begin = (sessionId: string, failed: string | null = null) =>
  store.logins.beginLogin(sessionId, 'first-bank', randomUUID(), failed);
const storedLink = (linkId: string) =>
  store.ctx.database.prisma.link.findUniqueOrThrow({
    where: { linkId },
    include: { credential: true, accounts: { orderBy: { position: 'asc' } } },
  });
const callsThrough = (provider: string, failures: number) =>
  new RouteHealthRepository(store.ctx).add([
    {
      provider,
      remoteId: provider === 'sandbox' ? 'first-bank' : `${provider}-first`,
      operation: 'fetch',
      successes: 0,
      failures,
      lastCause: 'institution_down',
    },
  ]);

describe('The route of a login', () => {
  it('is stored with a reason for every route, once for each login', async () => {
    await configured('north', { broken: true });
    await store.ctx.database.prisma.appProvider.create({
      data: { appId: TENANT.appId, provider: 'north', position: 0 },
    });
    await store.ctx.database.prisma.appProvider.create({
      data: { appId: TENANT.appId, provider: 'sandbox', position: 1 },
    });
    const { sessionId } = await openedSession(store);
    const { linkId, route } = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    expect(route).toEqual({ reason: 'only_route', possible: 0, dropped: 1 });
    await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    expect(await operator.decisionsOf(linkId)).toEqual([
      {
        sessionId,
        institutionId: 'first-bank',
        why: 'first',
        chosen: 'sandbox',
        routes: [
          { provider: 'sandbox', verdict: 'chosen', reason: 'only_route' },
          { provider: 'north', verdict: 'dropped', reason: 'keys_refused' },
        ],
        failedCause: null,
        decidedAt: store.ctx.clock(),
      },
    ]);
  });

  it('does not lead to a bank whose addresses are not pinned, which is not offered to sessions', async () => {
    await configured('north');
    const { prisma } = store.ctx.database;
    const pin = (unpinned: string[]) =>
      prisma.providerConfiguration.update({ where: { name: 'north' }, data: { unpinned } });
    const offered = () =>
      store.institutions.findAvailable(
        {
          tenant: TENANT,
          environments: ['sandbox'],
          countries: [],
          providers: ['north'],
          requiredProducts: [],
          oauthPossible: true,
        },
        'first-bank',
      );
    await pin(['other-bank', 'north-first']);
    expect(await offered()).toBeNull();
    expect(await operator.explain('first-bank')).toContainEqual(
      expect.objectContaining({ provider: 'north', verdict: 'dropped', reason: 'not_pinned' }),
    );
    const { sessionId } = await openedSession(store);
    await expect(begin(sessionId, 'sandbox')).rejects.toThrow(NoRoute);
    await pin(['other-bank']);
    expect(await offered()).toMatchObject({ institutionId: 'first-bank' });
    expect(await begin(sessionId, 'sandbox')).toMatchObject({ route: { reason: 'only_route' } });
  });

  it('leads to a server that did not respond to its check only if there is no other, until it does', async () => {
    await configured('north');
    const { prisma } = store.ctx.database;
    await prisma.institutionRoute.update({
      where: { institutionId_provider: { institutionId: 'first-bank', provider: 'north' } },
      data: { preferred: true },
    });
    const checks = new ConfigurationCheckRepository(store.ctx);
    const explained = async () =>
      (await operator.explain('first-bank'))?.map(({ provider, verdict, reason, health }) => ({
        provider,
        verdict,
        reason,
        health,
      }));
    const checked = async (unreachable: string[]) => {
      const { revision } = await prisma.providerConfiguration.findUniqueOrThrow({
        where: { name: 'north' },
      });
      const report = { ok: unreachable.length === 0, keysRefused: false, lines: [], unreachable };
      await checks.record('north', revision, { report, credentialsEndAt: null });
      return prisma.providerConfiguration.findUniqueOrThrow({ where: { name: 'north' } });
    };
    const last = { provider: 'north', verdict: 'possible', reason: 'down', health: 'down' };
    for (const unreachable of [['*'], ['other', 'north-first']]) {
      const { checkDueAt } = await checked(unreachable);
      expect(await explained()).toContainEqual(last);
      expect(checkDueAt.getTime() - store.ctx.clock().getTime()).toBe(15 * MINUTE);
    }
    const { sessionId } = await openedSession(store);
    expect(await begin(sessionId)).toMatchObject({ provider: 'sandbox' });
    expect(await begin((await openedSession(store)).sessionId, 'sandbox')).toMatchObject({
      provider: 'north',
    });
    for (const unreachable of [['other'], []]) {
      await checked(unreachable);
      expect(await explained()).toContainEqual({
        provider: 'north',
        verdict: 'chosen',
        reason: 'preferred',
        health: 'operational',
      });
    }
  });

  it('is refused when no route remains, and no link is created', async () => {
    const { sessionId } = await openedSession(store);
    await expect(begin(sessionId, 'sandbox')).rejects.toThrow(NoRoute);
    const { prisma } = store.ctx.database;
    expect(await prisma.link.count({ where: { sessions: { some: { sessionId } } } })).toBe(0);
  });

  it('changes to another provider after one could not be reached, on the same link', async () => {
    await configured('north');
    const { sessionId } = await openedSession(store);
    const first = await begin(sessionId);
    const next = await begin(sessionId, first.provider);
    expect(next).toMatchObject({ linkId: first.linkId });
    expect([first.provider, next.provider].sort()).toEqual(['north', 'sandbox']);
    expect(await storedLink(first.linkId)).toMatchObject({
      state: 'connecting',
      provider: next.provider,
    });
    expect((await operator.decisionsOf(first.linkId))?.map(({ why }) => why)).toEqual([
      'failover',
      'first',
    ]);
    expect(await store.bankLogins.loginFacts(sessionId)).toMatchObject({
      provider: next.provider,
    });
  });

  it('of a relink is the one that serves the link, however healthy the others are', async () => {
    const { linkId } = await connectedLink(store);
    await configured('north');
    await store.ctx.database.prisma.institutionRoute.updateMany({
      where: { provider: 'north' },
      data: { preferred: true },
    });
    expect(await begin((await relinkOf(linkId)).sessionId)).toMatchObject({ provider: 'sandbox' });
  });

  it.each<[string, (linkId: string) => Promise<unknown>]>([
    ['is down', () => callsThrough('sandbox', 9)],
    ['is moved away from by an operator', (linkId) => operator.move(linkId, 'north')],
    [
      'is not allowed for the app any more',
      () =>
        store.ctx.database.prisma.appProvider.create({
          data: { appId: TENANT.appId, provider: 'north', position: 0 },
        }),
    ],
  ])(
    'of a relink leads elsewhere when the provider of the link %s; ids stay, the old permission is released once',
    async (_when, happens) => {
      const { linkId } = await connectedLink(store);
      await configured('north');
      const before = await storedLink(linkId);
      await happens(linkId);
      const { sessionId } = await relinkOf(linkId);
      expect(await begin(sessionId)).toMatchObject({ linkId, provider: 'north' });
      expect(await storedLink(linkId)).toMatchObject({ provider: 'sandbox' });
      const { attemptKey } = await store.ctx.database.prisma.linkSession.findUniqueOrThrow({
        where: { sessionId },
      });
      await store.bankLogins.storeLinked(sessionId, attemptKey ?? '', {
        ...RENEWED,
        consent: 'given_at_bank',
      });
      await store.questions.finishLinking(sessionId, shown(5, { kind: 'success' }));
      const after = await storedLink(linkId);
      expect(after).toMatchObject({
        provider: 'north',
        moveTo: null,
        matchRows: true,
        credential: { provider: 'north' },
      });
      expect(after.accounts.map(({ accountId }) => accountId)).toEqual(
        before.accounts.map(({ accountId }) => accountId),
      );
      const released = await store.ctx.database.prisma.permissionRevocation.findMany({
        where: { link: { linkId } },
      });
      expect(released.map(({ provider }) => provider)).toEqual(['sandbox']);
    },
  );

  it('recovers from an outage by itself', async () => {
    await configured('north');
    await callsThrough('north', 9);
    const health = async () =>
      (await operator.explain('first-bank'))?.find(({ provider }) => provider === 'north')?.health;
    expect(await health()).toBe('down');
    store.pass(60 * 60_000);
    expect(await health()).toBe('operational');
  });

  it('is the one that an operator prefers, of which an institution has at most one', async () => {
    await configured('north');
    expect(await operator.prefer('first-bank', 'sandbox', true)).toBe(true);
    expect(await operator.prefer('first-bank', 'north', true)).toBe(true);
    expect(await operator.prefer('first-bank', 'south', true)).toBe(false);
    const explained = await operator.explain('first-bank');
    expect(explained?.map(({ provider, preferred }) => [provider, preferred])).toEqual([
      ['north', true],
      ['sandbox', false],
    ]);
    await operator.prefer('first-bank', 'north', false);
  });
});
