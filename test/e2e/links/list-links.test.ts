import fc from 'fast-check';
import { makeId } from '../../../domain/api/ids.js';
import { UNLISTED_LINKS, type LinkPosition } from '../../../prisma/links/link/link-filter.js';
import { listLinks } from '../../../prisma/links/link/link-list.js';
import { errorOf } from '../../support/services/api-client.js';
import { BANK, clientId, tenant, type AppId } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';

const STATES = ['connected', 'error'] as const;
const ERRORS = ['auth_expired', 'institution_error'] as const;
const TAGS = ['tier:gold', 'tier:silver', 'beta'] as const;
const USERS = ['ann', 'bob', 'cleo'] as const;
const PROVIDERS = ['sandbox', 'import'] as const;
const HOUR = 3_600_000;
const FIRST_AT = Date.parse('2026-03-01T00:00:00Z');

apiOfFile({ RATE_LIMIT_API: 'off' });

let links: ListedLink[];
/** Listed only where they are included, in the order of their creation. */
let unlisted: ListedLink[];
beforeAll(async () => {
  links = [];
  // Not in the order of creation: updates are in an order of their own.
  for (let index = 0; index < 60; index += 1) links.push(await store(index));
  await storeUnlisted();
});

interface ListedLink {
  link_id: string;
  state: string;
  error_code: string | null;
  provider: string;
  customer_user_id: string;
  tags: string[];
  updated_at: string;
}

async function store(
  index: number,
  { app = 'pocket-ledger', ...fields }: { app?: AppId; [field: string]: unknown } = {},
): Promise<ListedLink> {
  const { prisma } = service.database;
  const ofApp = { appId: app, environment: 'sandbox' };
  const userId = USERS[index % 3] ?? '';
  const { pk } = await prisma.customerUser.upsert({
    where: { appId_environment_userId: { ...ofApp, userId } },
    create: { ...ofApp, userId },
    update: {},
  });
  const state = STATES[index % 4 === 1 ? 1 : 0];
  const link = await prisma.link.create({
    data: {
      ...ofApp,
      linkId: makeId('link', service.ctx.random),
      clientId: clientId(app, 'sandbox'),
      customerUserPk: pk,
      institutionId: BANK,
      provider: PROVIDERS[index % 5 === 0 ? 1 : 0] ?? '',
      state: state ?? '',
      errorCode: state === 'error' ? (ERRORS[index % 8 === 1 ? 0 : 1] ?? null) : null,
      tags: TAGS.filter((_, position) => (index >> position) % 2 === 1),
      connectedAt: new Date(FIRST_AT),
      // Some of them at the same moment.
      updatedAt: new Date(FIRST_AT + (((index * 7) % 60) >> 1) * HOUR),
      ...fields,
    },
  });
  return {
    link_id: link.linkId,
    state: link.state,
    error_code: link.errorCode,
    provider: link.provider,
    customer_user_id: userId,
    tags: link.tags,
    updated_at: link.updatedAt.toISOString().replace('Z', ''),
  };
}

async function storeUnlisted(): Promise<void> {
  const deleted = { state: 'deleted', deletedAt: new Date(), errorCode: null };
  const neverConnected = { connectedAt: null, errorCode: null };
  unlisted = [
    await store(101, { state: 'connecting', ...neverConnected }),
    await store(102, deleted),
    await store(103, { ...deleted, connectedAt: null }),
    await store(104, { state: 'awaiting_token_exchange', ...neverConnected }),
    await store(105, { state: 'error', connectedAt: null, errorCode: 'user_error' }),
  ];
  // Deleted so long ago that it is shown nowhere.
  await store(106, { ...deleted, deletedAt: new Date(Date.now() - 91 * 24 * HOUR) });
  await store(107, { app: 'rival' });
}

const list = (query: Record<string, string> = {}, version?: string) =>
  service.api.get(`/links?${new URLSearchParams(query)}`, {
    token,
    headers: version === undefined ? {} : { 'service-version': version },
  });

interface Page {
  links: ListedLink[];
  next_cursor: string;
}

/** All pages of a list, one after another. */
async function everyPage(query: Record<string, string>, limit: number): Promise<ListedLink[][]> {
  const pages: ListedLink[][] = [];
  let cursor = '';
  do {
    const response = await list({ ...query, limit: String(limit), cursor });
    expect(response.status).toBe(200);
    const page = response.body as Page;
    pages.push(page.links);
    cursor = page.next_cursor;
  } while (cursor !== '' && pages.length < 1_000);
  return pages;
}

const PROPERTIES: Readonly<Record<string, (link: ListedLink, value: string) => boolean>> = {
  state: (link, value) => link.state === value,
  error: (link, value) => link.error_code === value,
  provider: (link, value) => link.provider === value,
  user: (link, value) => link.customer_user_id === value,
  tag: (link, value) => link.tags.includes(value),
  updated_since: (link, value) => link.updated_at >= value,
  institution_id: (_, value) => value === BANK,
};

describe('GET /links (native-api 3.4)', () => {
  it('lists the links that were ever connected and are not deleted, each exactly as it is read alone', async () => {
    const response = await list({ limit: '500' });
    const { links: listed, next_cursor } = response.body as Page;
    expect(listed.map(({ link_id }) => link_id)).toEqual(links.map(({ link_id }) => link_id));
    expect(next_cursor).toBe('');
    for (const link of listed.slice(0, 3))
      expect((await service.api.get(`/links/${link.link_id}`, { token })).body).toEqual(link);
    expect(listed[7]).toMatchObject(links[7] ?? {});
  });

  it('returns all and only the links that match, whichever filters are combined and however long a page is', async () => {
    const maybe = <T extends string>(...values: readonly T[]) =>
      fc.option(fc.constantFrom(...values), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          state: maybe(...STATES),
          error: maybe(...ERRORS),
          provider: maybe(...PROVIDERS, 'unknown'),
          user: maybe(...USERS, 'unknown'),
          tag: maybe(...TAGS, 'none'),
          institution_id: maybe(BANK, 'unknown-bank'),
          updated_since: fc.option(
            fc
              .integer({ min: -1, max: 31 })
              .map((hours) => new Date(FIRST_AT + hours * HOUR).toISOString().replace('Z', '')),
            { nil: undefined },
          ),
        }),
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom(undefined, 'asc', 'desc'),
        async (filter, limit, order) => {
          const given = Object.entries(filter).filter(([, value]) => value !== undefined) as [
            string,
            string,
          ][];
          const matching = links.filter((link) =>
            given.every(([name, value]) => PROPERTIES[name]?.(link, value) === true),
          );
          if (order === 'desc') matching.reverse();
          const ordered: Record<string, string> = order === undefined ? {} : { order };
          const pages = await everyPage({ ...Object.fromEntries(given), ...ordered }, limit);
          const found = pages.flat().map(({ link_id }) => link_id);
          expect([...found].sort()).toEqual(matching.map(({ link_id }) => link_id).sort());
          for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit);
          if (filter.updated_since === undefined)
            expect(found).toEqual(matching.map(({ link_id }) => link_id));
          else {
            const updates = pages.flat().map(({ updated_at }) => updated_at);
            const inOrder = [...updates].sort();
            expect(updates).toEqual(order === 'desc' ? inOrder.reverse() : inOrder);
          }
        },
      ),
      { numRuns: process.env['LONG_RUNS'] ? 500 : 40 },
    );
  });

  const INCLUDED: readonly [string, (link: ListedLink, index: number) => boolean][] = [
    ['never_connected,deleted', () => true],
    ['never_connected', ({ state }) => state !== 'deleted'],
    // The second deleted one was never connected.
    ['deleted', (_, index) => index === 1],
  ];

  const FILTERS: readonly Record<string, string>[] = [
    {},
    { user: 'bob' },
    { tag: 'beta' },
    { provider: 'import' },
  ];

  it.each(INCLUDED)(
    'includes %s in both orders, for any page and filter, each as it is read alone',
    async (include, isIncluded) => {
      const all = [...links, ...unlisted.filter(isIncluded)];
      for (const filter of FILTERS)
        for (const order of ['asc', 'desc']) {
          const expected = all.filter((link) =>
            Object.entries(filter).every(([name, value]) => PROPERTIES[name]?.(link, value)),
          );
          if (order === 'desc') expected.reverse();
          const found = (await everyPage({ include, order, ...filter }, 7)).flat();
          expect(found.map(({ link_id }) => link_id)).toEqual(
            expected.map(({ link_id }) => link_id),
          );
        }
      // The newest link was deleted too long ago, so the first page is empty.
      const [newest] = (await everyPage({ include, order: 'desc' }, 1)).flat();
      const alone = await service.api.get(`/links/${newest?.link_id}`, { token });
      expect(alone.body).toEqual(newest);
    },
  );

  it.each([
    ['connecting', [0]],
    ['awaiting_token_exchange', [3]],
    ['deleted', [1, 2]],
  ])('lists the links of the unlisted state %s in both orders', async (state, indexes) => {
    const expected = indexes.map((index) => unlisted[index]?.link_id);
    const idsOf = async (query: Record<string, string>) =>
      ((await list({ state, ...query })).body as Page).links.map(({ link_id }) => link_id);
    expect(await idsOf({})).toEqual(expected);
    expect(await idsOf({ include: 'deleted' })).toEqual(expected);
    expect(await idsOf({ order: 'desc' })).toEqual([...expected].reverse());
  });

  it.each(['asc', 'desc'] as const)(
    'lists all and only the links of a limited key pair in the order %s, with those that it includes',
    async (order) => {
      const all = [...links, ...unlisted];
      const permitted = all.filter((_, index) => index % 3 === 0).map(({ link_id }) => link_id);
      const pairs = [
        {
          only: { users: ['ann', 'cleo'] },
          has: (link: ListedLink) => link.customer_user_id !== 'bob',
        },
        { only: { links: permitted }, has: (link: ListedLink) => permitted.includes(link.link_id) },
      ];
      for (const { only, has } of pairs) {
        const expected = all.filter(has).map(({ link_id }) => link_id);
        if (order === 'desc') expected.reverse();
        const found: string[] = [];
        let after: LinkPosition | null = null;
        do {
          const page = await listLinks(
            service.ctx,
            { ...tenant('pocket-ledger'), only },
            { include: UNLISTED_LINKS },
            { order, after, limit: 4 },
          );
          found.push(...page.links.map(({ linkId }) => linkId));
          after = page.next;
        } while (after !== null);
        expect(found).toEqual(expected);
      }
    },
  );

  it('has whole pages for one filter', async () => {
    const pages = await everyPage({ tag: 'tier:gold' }, 7);
    expect(pages.map((page) => page.length)).toEqual([7, 7, 7, 7, 2]);
  });

  it('lists only ids, on longer pages, for clients of earlier versions', async () => {
    for (const version of ['2023-02-18', '2026-11-25']) {
      const response = await list({ limit: '5000', user: 'ann' }, version);
      expect(response.body).toEqual({
        links: links
          .filter((link) => link.customer_user_id === 'ann')
          .map(({ link_id }) => ({ link_id, created_at: expect.any(String) })),
        next_cursor: '',
      });
    }
    for (const version of [undefined, '2026-11-27'])
      expect((await list({ limit: '501' }, version)).status).toBe(422);
  });

  it.each([
    ['state', 'broken'],
    ['error', 'oops'],
    ['institution_id', ''],
    ['institution_id', 'x'.repeat(201)],
    ['provider', ''],
    ['user', ''],
    ['user', 'x'.repeat(151)],
    ['tag', ''],
    ['tag', ':begins-badly'],
    ['updated_since', 'yesterday'],
    ['updated_since', '2026-02-30'],
    ['updated_since', '9999-01-01'],
    ['cursor', 'lnk'],
    ['order', 'newest'],
    ['limit', '0'],
    ['limit', '501'],
    ['limit', '2147483648'],
  ])('refuses %s=%s where it is', async (name, value) => {
    expect(errorOf(await list({ [name]: value }))).toEqual({
      status: 422,
      code: 'api_error.request.validation_failed',
      locations: [`query.${name}`],
    });
  });

  it.each([
    [{ updated_since: '2026-03-01T00:00:00', include: 'deleted' }, 'include'],
    [{ updated_since: '2026-03-01T00:00:00', state: 'deleted' }, 'state'],
  ])('refuses the combination %j', async (query, name) => {
    expect(errorOf(await list(query)).locations).toEqual([`query.${name}`]);
  });

  it('refuses a kind of unlisted links that does not exist', async () => {
    const { status, locations } = errorOf(await list({ include: 'deleted,connected' }));
    expect([status, locations]).toEqual([422, ['query.include.1']]);
  });

  it('refuses a cursor of another filter or order, and a repeated filter', async () => {
    const { next_cursor: cursor } = (await list({ state: 'connected', limit: '1' })).body as Page;
    expect((await list({ state: 'connected', cursor })).status).toBe(200);
    expect((await list({ cursor })).status).toBe(422);
    expect((await list({ state: 'error', cursor })).status).toBe(422);
    expect((await list({ state: 'connected', order: 'asc', cursor })).status).toBe(200);
    expect((await list({ state: 'connected', order: 'desc', cursor })).status).toBe(422);
    expect((await list({ state: 'connected', include: 'deleted', cursor })).status).toBe(422);
    const twice = await service.api.get('/links?tag=beta&tag=tier:gold', { token });
    expect(twice.status).toBe(422);
  });

  it('sees changes of the link itself, and no refresh, as an update', async () => {
    const link = await store(200, { updatedAt: new Date(FIRST_AT) });
    const where = { linkId: link.link_id };
    const { link: table } = service.database.prisma;
    const updated = async () =>
      ((await service.api.get(`/links/${link.link_id}`, { token })).body as ListedLink).updated_at;
    await table.update({ where, data: { lastSyncedAt: new Date(), revision: { increment: 1 } } });
    expect(await updated()).toBe(link.updated_at);
    const path = `/links/${link.link_id}`;
    await service.api.send('PATCH', path, { token, json: { tags: link.tags } });
    expect(await updated()).toBe(link.updated_at);
    await service.api.send('PATCH', path, { token, json: { tags: ['moved'] } });
    const first = await updated();
    expect(first > link.updated_at).toBe(true);
    expect(((await list({ tag: 'moved' })).body as Page).links).toMatchObject(
      [where.linkId].map((link_id) => ({ link_id })),
    );
    await service.api.as(token).delete(path);
    expect(((await list({ tag: 'moved' })).body as Page).links).toEqual([]);
    expect(await service.database.prisma.linkTag.count({ where: { tag: 'moved' } })).toBe(0);
  });
});

/** The lists of one walk, whose name is in a field of its links. */
type WalkFilter = (walk: string) => {
  query: Record<string, string>;
  fields: Record<string, unknown>;
};
const WALKS: readonly [string, WalkFilter][] = [
  ['by a tag', (tag) => ({ query: { tag }, fields: { tags: [tag] } })],
  ['by a provider', (provider) => ({ query: { provider }, fields: { provider } })],
  [
    'by a user and an institution, with those that were never connected',
    (institution_id) => ({
      query: { institution_id, user: 'ann', include: 'never_connected' },
      fields: { institutionId: institution_id, connectedAt: null, state: 'connecting' },
    }),
  ],
  [
    'by the time of update',
    (provider) => ({
      query: { provider, updated_since: new Date(FIRST_AT).toISOString().replace('Z', '') },
      fields: { provider, updatedAt: new Date(FIRST_AT) },
    }),
  ],
];

let walks = 0;

describe('A walk over all pages of GET /links', () => {
  it.each(WALKS)(
    'returns each link that is listed during a whole walk once, %s, while links are added and deleted',
    async (_, filterOf) => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('asc', 'desc'),
          fc.integer({ min: 1, max: 5 }),
          fc.array(
            fc.record({ added: fc.nat(3), deleted: fc.array(fc.nat(30), { maxLength: 3 }) }),
            {
              maxLength: 8,
            },
          ),
          async (order, limit, changes) => {
            const walk = `walk-${(walks += 1)}`;
            const { query, fields } = filterOf(walk);
            const standing = new Set<string>();
            const deleted = new Set<string>();
            const add = async () => (await store(300, fields)).link_id;
            for (let index = 0; index < 12; index += 1) standing.add(await add());
            const added = new Set<string>();
            const found: string[] = [];
            let cursor = '';
            for (let page = 0; page === 0 || cursor !== ''; page += 1) {
              const { body } = await list({ ...query, order, limit: String(limit), cursor });
              found.push(...(body as Page).links.map(({ link_id }) => link_id));
              cursor = (body as Page).next_cursor;
              const { added: further = 0, deleted: removed = [] } = changes[page] ?? {};
              for (let index = 0; index < further; index += 1) added.add(await add());
              for (const position of removed) {
                const linkId = [...standing, ...added][position];
                if (linkId === undefined || deleted.has(linkId)) continue;
                await service.api.as(token).delete(`/links/${linkId}`);
                deleted.add(linkId);
              }
            }
            expect(new Set(found).size).toBe(found.length);
            const stood = [...standing].filter((linkId) => !deleted.has(linkId));
            expect(found).toEqual(expect.arrayContaining(stood));
            expect(found.filter((linkId) => !standing.has(linkId) && !added.has(linkId))).toEqual(
              [],
            );
          },
        ),
        { numRuns: process.env['LONG_RUNS'] ? 40 : 8 },
      );
    },
  );
});
