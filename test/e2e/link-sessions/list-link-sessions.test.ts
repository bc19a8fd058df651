import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { makeId } from '../../../domain/api/ids.js';
import type { Environment, Tenant } from '../../../domain/api/environment.js';
import { errorOf } from '../../support/services/api-client.js';
import {
  BANK,
  clientId,
  startApiInProcess,
  type ApiInProcess,
  type AppId,
} from '../../support/services/api-in-process.js';

const STATES = ['created', 'open', 'succeeded', 'ended'] as const;
const USERS = ['ann', 'bob', 'cleo'] as const;
const BANKS = [BANK, 'other-bank', null] as const;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The time of the oldest session of the tests, within the last 90 days. */
const FIRST_AT = Math.floor(Date.now() / DAY - 60) * DAY;

let service: ApiInProcess;
let token: string;
let links: { pk: bigint; linkId: string }[];
/** Newest first. */
let sessions: ListedSession[];
beforeAll(async () => {
  service = await startApiInProcess();
  token = await service.token('pocket-ledger');
  links = [];
  for (const user of USERS) links.push(await storeLink(user));
  const stored: ListedSession[] = [];
  for (let index = 0; index < 60; index += 1) stored.push(await store(index));
  sessions = stored.sort((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1));
  await store(60, { createdAt: new Date(Date.now() - 91 * DAY) });
  await store(61, { environment: 'live' });
  await store(62, { app: 'rival' });
});
afterAll(() => service?.close());

interface ListedSession {
  session_id: string;
  state: string;
  institution_id: string | null;
  link_id: string | null;
  customer_user: { id: string };
  created_at: string;
}

const orderOf = ({ created_at, session_id }: ListedSession) => `${created_at} ${session_id}`;

interface Given {
  app?: AppId;
  environment?: Environment;
  user?: string;
  createdAt?: Date;
}

async function storeUser(tenant: Tenant, userId: string): Promise<bigint> {
  const { pk } = await service.database.prisma.customerUser.upsert({
    where: { appId_environment_userId: { ...tenant, userId } },
    create: { ...tenant, userId },
    update: {},
  });
  return pk;
}

async function storeLink(user: string): Promise<{ pk: bigint; linkId: string }> {
  const tenant: Tenant = { appId: 'pocket-ledger', environment: 'sandbox' };
  return service.database.prisma.link.create({
    data: {
      ...tenant,
      linkId: makeId('link', service.ctx.random),
      clientId: clientId('pocket-ledger', 'sandbox'),
      customerUserPk: await storeUser(tenant, user),
      institutionId: BANK,
      provider: 'sandbox',
      state: 'connected',
      connectedAt: new Date(FIRST_AT),
      tags: [],
    },
  });
}

async function store(index: number, given: Given = {}): Promise<ListedSession> {
  const { app = 'pocket-ledger', environment = 'sandbox', user = USERS[index % 3] ?? '' } = given;
  const tenant = { appId: app, environment };
  const state = STATES[index % 4] ?? '';
  const link = links[index % 5];
  // One is a repair, one made a link, and one may still make one, which its app does not know yet.
  const mode = index % 3 === 0 ? 'relink' : 'link';
  const isSuccess = mode === 'link' && index % 2 === 0;
  const session = await service.database.prisma.linkSession.create({
    data: {
      ...tenant,
      sessionId: makeId('session', service.ctx.random),
      clientId: clientId(app, environment),
      customerUserPk: await storeUser(tenant, user),
      tokenHash: Uint8Array.from(randomBytes(32)),
      mode: link === undefined ? 'link' : mode,
      beganAs: 'link',
      linkPk: link?.pk ?? null,
      existingLinkId: link !== undefined && mode === 'relink' ? link.linkId : null,
      succeededAt: isSuccess ? new Date(FIRST_AT) : null,
      institutionId: BANKS[index % 3] ?? null,
      state,
      products: {},
      features: {},
      expiresAt: new Date(FIRST_AT),
      // Some of them at the same moment, and not in the order of storage.
      createdAt: given.createdAt ?? new Date(FIRST_AT + (((index * 7) % 60) >> 1) * HOUR),
    },
  });
  return {
    session_id: session.sessionId,
    state,
    institution_id: session.institutionId,
    link_id: mode === 'relink' || isSuccess ? (link?.linkId ?? null) : null,
    customer_user: { id: user },
    created_at: session.createdAt.toISOString().replace('Z', ''),
  };
}

const list = (query: Record<string, string> = {}, bearer = token) =>
  service.api.as(bearer).get(`/link-sessions?${new URLSearchParams(query)}`);

interface Page {
  link_sessions: ListedSession[];
  next_cursor: string;
}

const idsOf = (listed: readonly ListedSession[]) => listed.map(({ session_id }) => session_id);

async function everyPage(query: Record<string, string>, limit: number): Promise<ListedSession[][]> {
  const pages: ListedSession[][] = [];
  let cursor = '';
  do {
    const response = await list({ ...query, limit: String(limit), cursor });
    expect(response.status).toBe(200);
    const page = response.body as Page;
    pages.push(page.link_sessions);
    cursor = page.next_cursor;
  } while (cursor !== '' && pages.length < 1_000);
  return pages;
}

const PROPERTIES: Readonly<Record<string, (session: ListedSession, value: string) => boolean>> = {
  state: (session, value) => session.state === value,
  user: (session, value) => session.customer_user.id === value,
  link_id: (session, value) => session.link_id === value,
  institution_id: (session, value) => session.institution_id === value,
  created_since: (session, value) => session.created_at >= value,
};

describe('GET /link-sessions (native-api 3.3)', () => {
  it('lists the sessions of the app and environment in the last 90 days, newest first, each exactly as it is read alone but without a token', async () => {
    const response = await list({ limit: '500' });
    const { link_sessions: listed, next_cursor } = response.body as Page;
    expect(idsOf(listed)).toEqual(idsOf(sessions));
    expect(next_cursor).toBe('');
    expect(listed).toMatchObject(sessions);
    for (const session of listed.slice(0, 5)) {
      const alone = await service.api.as(token).get(`/link-sessions/${session.session_id}`);
      expect(alone.body).toEqual({ ...session, exchangeable_token: null });
    }
  });

  it('returns all and only the sessions that match, whichever filters are combined and however long a page is', async () => {
    const maybe = <T extends string>(...values: readonly T[]) =>
      fc.option(fc.constantFrom(...values), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          state: maybe(...STATES),
          user: maybe(...USERS, 'unknown'),
          link_id: maybe(...links.map(({ linkId }) => linkId), 'mk_unknown'),
          institution_id: maybe(BANK, 'other-bank', 'unknown-bank'),
          created_since: fc.option(
            fc
              .integer({ min: -1, max: 31 })
              .map((hours) => new Date(FIRST_AT + hours * HOUR).toISOString().replace('Z', '')),
            { nil: undefined },
          ),
        }),
        fc.integer({ min: 1, max: 12 }),
        async (filter, limit) => {
          const given = Object.entries(filter).filter(([, value]) => value !== undefined) as [
            string,
            string,
          ][];
          const matching = sessions.filter((session) =>
            given.every(([name, value]) => PROPERTIES[name]?.(session, value) === true),
          );
          const pages = await everyPage(Object.fromEntries(given), limit);
          expect(idsOf(pages.flat())).toEqual(idsOf(matching));
          for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns: process.env['LONG_RUNS'] ? 500 : 40 },
    );
  });

  it('has whole pages for one filter', async () => {
    const pages = await everyPage({ user: 'bob' }, 7);
    expect(pages.map((page) => page.length)).toEqual([7, 7, 6]);
  });

  it('continues behind the page before while sessions are created', async () => {
    const rival = await service.token('rival');
    const minutes = (count: number) => new Date(FIRST_AT + count * 60_000);
    const stored: string[] = [];
    for (let index = 0; index < 6; index += 1) {
      const given = { app: 'rival', user: 'walker', createdAt: minutes(index) } as const;
      stored.unshift((await store(index, given)).session_id);
    }
    const found: string[] = [];
    let cursor = '';
    do {
      const page = (await list({ user: 'walker', limit: '2', cursor }, rival)).body as Page;
      found.push(...idsOf(page.link_sessions));
      cursor = page.next_cursor;
      await store(1, { app: 'rival', user: 'walker', createdAt: minutes(10 + found.length) });
    } while (cursor !== '');
    expect(found).toEqual(stored);
  });

  it('leaves out the sessions of a user from the request of the erasure on', async () => {
    const rival = await service.token('rival');
    const { session_id: kept } = await store(1, { app: 'rival', user: 'stays' });
    const { session_id: gone } = await store(1, { app: 'rival', user: 'leaves' });
    expect((await service.api.as(rival).delete('/users/leaves')).status).toBe(202);
    const listed = idsOf(((await list({}, rival)).body as Page).link_sessions);
    expect([listed.includes(kept), listed.includes(gone)]).toEqual([true, false]);
    expect(((await list({ user: 'leaves' }, rival)).body as Page).link_sessions).toEqual([]);
  });

  it.each([
    ['state', 'exited'],
    ['state', ''],
    ['user', ''],
    ['user', 'x'.repeat(151)],
    ['link_id', ''],
    ['link_id', 'x'.repeat(201)],
    ['institution_id', ''],
    ['institution_id', 'x'.repeat(201)],
    ['created_since', 'yesterday'],
    ['created_since', '2026-02-30'],
    ['created_since', '9999-01-01'],
    ['cursor', 'ses'],
    ['cursor', Buffer.from('ses:0123456789abcdef:0:ses_a').toString('base64url')],
    ['limit', '0'],
    ['limit', '501'],
    ['limit', '1e2'],
  ])('refuses %s=%s where it is', async (name, value) => {
    expect(errorOf(await list({ [name]: value }))).toEqual({
      status: 422,
      code: 'api_error.request.validation_failed',
      locations: [`query.${name}`],
    });
  });

  it('refuses a cursor of another filter, tenant or list, and a repeated filter', async () => {
    const refused = async (query: Record<string, string>, bearer = token) =>
      expect(errorOf(await list(query, bearer)).locations).toEqual(['query.cursor']);
    const { next_cursor: cursor } = (await list({ state: 'open', limit: '1' })).body as Page;
    expect((await list({ state: 'open', cursor })).status).toBe(200);
    await refused({ cursor });
    await refused({ state: 'ended', cursor });
    await refused({ state: 'open', user: 'ann', cursor });
    await refused({ state: 'open', cursor }, await service.token('rival'));
    await refused({ state: 'open', cursor }, await service.token('pocket-ledger', 'live'));
    const ofLinks = await service.api.as(token).get('/links?limit=1');
    await refused({ cursor: (ofLinks.body as Page).next_cursor });
    const twice = await service.api.as(token).get('/link-sessions?state=open&state=ended');
    expect(errorOf(twice).locations).toEqual(['query.state']);
  });
});
