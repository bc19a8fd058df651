import type { Product } from '../../../domain/link/products.js';
import {
  newSession,
  openedSession,
  shown,
  TENANT,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';
import { listenTo } from '../../support/assertions/listen-to.js';

storeOfFile();

describe('A link session', () => {
  it('is found by its token, which starts with the environment and is stored only as a hash', async () => {
    const { token, sessionId } = await store.sessions.create(TENANT, newSession());
    expect(token).toMatch(/^sandbox_ls_[A-Za-z0-9_-]{43}$/);
    expect(await store.sessions.findByToken(token)).toMatchObject({
      sessionId,
      state: 'created',
      seq: 0,
      app: { name: 'pocket-ledger' },
    });
    expect(await store.sessions.findByToken(`${token}x`)).toBeNull();
    const { rows } = await store.ctx.database.pool.query<{ text: string }>(
      'SELECT row_to_json(s)::text AS text FROM link_sessions s',
    );
    expect(
      rows.some(
        ({ text }) => text.includes(token) || text.includes(Buffer.from(token).toString('hex')),
      ),
    ).toBe(false);
  });

  it('has one customer user per id and tenant', async () => {
    await store.sessions.create(
      TENANT,
      newSession({ customerUser: { id: 'u1', email: { address: 'a@b.example' }, phone: null } }),
    );
    await store.sessions.create(
      TENANT,
      newSession({ customerUser: { id: 'u1', email: null, phone: null } }),
    );
    await store.sessions.create(
      { ...TENANT, environment: 'live' },
      newSession({ customerUser: { id: 'u1', email: null, phone: null } }),
    );
    const users = await store.ctx.database.prisma.customerUser.findMany({
      where: { userId: 'u1' },
    });
    expect(users.map(({ environment, email }) => [environment, email])).toEqual([
      ['sandbox', { address: 'a@b.example' }],
      ['live', null],
    ]);
  });

  it('stores its customer user, even when many sessions are created for a new user at once', async () => {
    const make = (email: unknown, phone: unknown) =>
      store.sessions.create(TENANT, newSession({ customerUser: { id: 'user-new', email, phone } }));
    await Promise.all(
      Array.from({ length: 12 }, () => make({ address: 'robin@mail.example' }, null)),
    );
    await make(null, { number: '+16145550142' });
    const users = await store.ctx.database.prisma.customerUser.findMany({
      where: { userId: 'user-new' },
    });
    expect(users).toMatchObject([
      { email: { address: 'robin@mail.example' }, phone: { number: '+16145550142' } },
    ]);
    expect(
      await store.ctx.database.prisma.linkSession.count({
        where: { customerUserPk: users[0]?.pk ?? 0n },
      }),
    ).toBe(13);
  });

  it('belongs to the window that opened it last', async () => {
    const { sessionId, connectToken } = await openedSession(store);
    expect((await store.sessions.findByConnectToken(connectToken))?.current).toBe(true);
    const again = await store.sessions.open(sessionId);
    expect((await store.sessions.findByConnectToken(connectToken))?.current).toBe(false);
    expect((await store.sessions.findByConnectToken(again?.connectToken ?? ''))?.current).toBe(
      true,
    );
    expect(await store.sessions.findByConnectToken('unknown')).toBeNull();
  });

  it('never replaces a newer step by an older one', async () => {
    const { sessionId } = await openedSession(store);
    await store.sessions.projectStep(sessionId, {
      ...shown(5, { kind: 'success' }),
      accepted: false,
    });
    await store.sessions.projectStep(sessionId, {
      ...shown(4, { kind: 'select_institution' }),
      accepted: true,
    });
    expect(await store.sessions.get(sessionId)).toMatchObject({
      seq: 5,
      step: { kind: 'success', id: 'st_5' },
      stepsTaken: 1,
    });
  });

  it('notifies waiting requests when its step changes', async () => {
    const { sessionId } = await openedSession(store);
    const client = await store.ctx.database.pool.connect();
    try {
      await listenTo(client, 'link_session');
      const heard = new Promise<string | undefined>((resolve) =>
        client.once('notification', ({ payload }) => resolve(payload)),
      );
      await store.sessions.projectStep(sessionId, {
        ...shown(2, { kind: 'success' }),
        accepted: false,
      });
      expect(await heard).toBe(sessionId);
    } finally {
      await client.query('UNLISTEN *');
      client.release();
    }
  });

  it('seals answers and erases them when it ends', async () => {
    const { sessionId } = await openedSession(store);
    await store.sessions.sealAnswer(sessionId, 'request-1', Buffer.from('canary-password'));
    expect((await store.sessions.openAnswer(sessionId, 'request-1'))?.toString()).toBe(
      'canary-password',
    );
    const [row] = await store.ctx.database.prisma.sessionSecret.findMany({ where: { sessionId } });
    expect(Buffer.from(row?.sealed ?? []).includes('canary')).toBe(false);
    await store.times.cancelSession(sessionId);
    expect(await store.sessions.openAnswer(sessionId, 'request-1')).toBeNull();
    expect(
      await store.ctx.database.prisma.dataKey.count({ where: { owner: `session/${sessionId}` } }),
    ).toBe(0);
  });
});

describe('The institutions of a session', () => {
  const filter = {
    tenant: TENANT,
    environments: ['sandbox'] as const,
    countries: [],
    providers: [],
    requiredProducts: [],
    oauthPossible: true,
  };
  const ask = { query: '', country: null, cursor: null, limit: 20 };

  it('are found by the start of a word, in pages', async () => {
    expect(
      (await store.institutions.search(filter, { ...ask, query: 'SECOND' })).institutions.map(
        ({ institutionId }) => institutionId,
      ),
    ).toEqual(['second-bank']);
    const first = await store.institutions.search(filter, { ...ask, limit: 1 });
    expect(first.institutions.map(({ institutionId }) => institutionId)).toEqual(['first-bank']);
    const rest = await store.institutions.search(filter, { ...ask, cursor: first.next });
    expect({
      institutions: rest.institutions.map(({ institutionId }) => institutionId),
      next: rest.next,
    }).toEqual({ institutions: ['second-bank'], next: null });
  });

  it.each([
    ['the other environment', { ...filter, environments: ['live'] as const }],
    ['other countries', { ...filter, countries: ['GB'] }],
    ['other providers', { ...filter, providers: ['elsewhere'] }],
  ])('are not offered to a session for %s', async (_why, narrowed) => {
    expect((await store.institutions.search(narrowed, ask)).institutions).toEqual([]);
    expect(await store.institutions.findAvailable(narrowed, 'first-bank')).toBeNull();
  });

  it('are not offered to a session for a product they lack', async () => {
    const bare = {
      institutionId: 'bare-bank',
      remoteId: '4',
      name: 'Bare',
      country: 'GB',
      domain: null,
      color: null,
      colorDark: null,
      isFeatured: false,
      environment: 'sandbox' as const,
      login: 'none' as const,
      products: ['accounts'] as const,
      aliases: [],
    };
    await store.institutions.syncCatalog('other', [bare]);
    const offered = async (product: Product) =>
      (
        await store.institutions.findAvailable(
          { ...filter, countries: ['GB'], requiredProducts: [product] },
          'bare-bank',
        )
      )?.institutionId;
    expect({
      accounts: await offered('accounts'),
      accountNumbers: await offered('account_numbers'),
    }).toEqual({ accounts: 'bare-bank', accountNumbers: undefined });
    await store.institutions.syncCatalog('other', []);
  });

  it('follow the catalog of their provider', async () => {
    const [entry] = [
      {
        institutionId: 'third-bank',
        remoteId: '3',
        name: 'Third',
        country: 'GB',
        domain: null,
        color: null,
        colorDark: null,
        isFeatured: false,
        environment: 'sandbox' as const,
        login: 'none' as const,
        products: ['accounts'] as const,
        aliases: ['drei'],
      },
    ];
    await store.institutions.syncCatalog('other', [entry]);
    expect(await store.institutions.find(['sandbox'], 'drei')).toMatchObject({
      institutionId: 'third-bank',
      aliases: ['drei'],
    });
    await store.institutions.syncCatalog('other', []);
    expect(
      await store.institutions.findAvailable({ ...filter, countries: ['GB'] }, 'third-bank'),
    ).toBeNull();
  });
});

describe('Losing the connection to PostgreSQL', () => {
  it('does not break the pool: the next transaction works', async () => {
    const { pool } = store.ctx.database;
    await pool.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    expect((await store.sessions.create(TENANT, newSession())).sessionId).toMatch(/^ses_/);
  });
});
