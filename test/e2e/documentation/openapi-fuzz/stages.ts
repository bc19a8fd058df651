import { randomUUID } from 'node:crypto';
import { INSTANT_BANK } from '../../../support/actors/link-journey.js';
import type { KeyPair } from '../../../support/services/standalone.js';
import type { Cast } from './cast.js';
import { connectSessions } from './connect-sessions.js';
import type { Operation } from './operations.js';
import {
  exchangeableToken,
  importLink,
  listener,
  openSession,
  simplefinToken,
  type Resources,
  type Tenant,
} from './tenants.js';
import { PRODUCTS } from '../../../../domain/link/products.js';

export interface Caller {
  name: string;
  /** The tenant whose data the caller may see; null without an access token. */
  tenant: Tenant | null;
  authorization: string | null;
}

/** The callers of one operation, and the data to call it with. */
export interface Stage {
  /** The callers that the operation accepts. */
  callers: Caller[];
  others: Caller[];
  has: Resources;
  pair: KeyPair;
  victim: Tenant;
  /** Cursors of the operation: the tenant's own, and one of the victim. */
  cursors: string[];
  /** Addresses that a bank redirected a browser to. */
  returnAddresses: string[];
  /** The `seq` of the step that each session shows. */
  seqs: number[];
  webhook: string;
}

type Extras = (own: Tenant, count: number) => Promise<Partial<Resources>>;

const importedLinks: Extras = async (own, count) => ({
  links: await repeat(count, () => importLink(own)),
});
const sandboxLinks: Extras = async (own, count) => ({
  links: await repeat(
    Math.min(count, 4),
    async () =>
      (
        await own.sandbox.link({
          institution_id: INSTANT_BANK,
          settings: { products: PRODUCTS },
        })
      ).link_id,
  ),
});
/** A debt is named by its account, which belongs to the link. */
const debtors: Extras = async (own) => {
  const { link_id: id } = await own.sandbox.link({
    institution_id: INSTANT_BANK,
    settings: { products: PRODUCTS },
  });
  const { liabilities } = await own.app.get<{ liabilities: { account_id: string }[] }>(
    `/links/${id}/liabilities`,
  );
  return { links: [id], accounts: liabilities.map(({ account_id: account }) => account) };
};
/** An app may have a bounded number of worlds, and earlier cases left theirs. */
async function deleteLeftWorlds(own: Tenant): Promise<void> {
  const { worlds: present } = await own.app.get<{ worlds: { world_id: string }[] }>(
    '/sandbox/worlds',
  );
  const left = present
    .map(({ world_id: id }) => id)
    .filter((id) => id !== 'default' && !own.has.worlds.includes(id));
  for (const id of left) await own.app.call('DELETE', `/sandbox/worlds/${id}`);
}
const worlds: Extras = async (own, count) => {
  await deleteLeftWorlds(own);
  return {
    worlds: await repeat(Math.min(count, 10), async () => (await own.sandbox.world()).world_id),
  };
};

const users: Extras = async (own, count) => ({
  users: await repeat(count, async () => {
    const user = randomUUID();
    await importLink(own, user);
    return user;
  }),
});

/** Calls that change or use up their data get data of their own. */
const EXTRAS: Record<string, Extras> = {
  'DELETE /links/{id}': importedLinks,
  'PATCH /links/{id}': importedLinks,
  'POST /links/{id}/import/transactions': importedLinks,
  'POST /links/{id}/reset': sandboxLinks,
  'POST /sandbox/links/{id}/expire-auth': sandboxLinks,
  'POST /sandbox/links/{id}/transactions': sandboxLinks,
  'POST /sandbox/links/{id}/holdings': sandboxLinks,
  'POST /sandbox/links/{id}/liabilities': debtors,
  'DELETE /users/{id}': users,
  'POST /sandbox/worlds': async (own) => {
    await deleteLeftWorlds(own);
    return {};
  },
  'DELETE /sandbox/worlds/{world_id}': worlds,
  'POST /sandbox/worlds/{world_id}/advance': worlds,
  'DELETE /sandbox/faults/{fault_id}': async (own, count) => ({
    faults: await repeat(count, () => fault(own)),
  }),
  'DELETE /users/{id}/simplefin-tokens/{token_id}': async (own, count) => ({
    simplefinTokens: await repeat(Math.min(count, 20), () =>
      simplefinToken(own, own.has.users[0] ?? ''),
    ),
  }),
  // A user may have 25.
  'POST /users/{id}/simplefin-tokens': users,
  // One ends a minute after its last call.
  'GET /webhooks/listeners/{id}/deliveries': listener,
  'POST /webhooks/listeners/{id}/deliveries/{token}': listener,
  'POST /link-session/exchange-token': async (own, count) => ({
    exchangeableTokens: await repeat(Math.min(count, 20), () => exchangeableToken(own)),
  }),
  'POST /connect/api/session/open': async (own, count) => ({
    sessionTokens: await repeat(count, async () => (await openSession(own)).sessionToken),
  }),
};

/** @param cases the number of times the operation will be tried */
export async function stageFor(operation: Operation, cast: Cast, cases: number): Promise<Stage> {
  const { victim, webhook, narrowToken } = cast;
  const own = operation.name.startsWith('POST /sandbox/institutions/') ? cast.faulty : cast.own;
  const extras = (await EXTRAS[operation.name]?.(own, Math.ceil(cases / 8))) ?? {};
  const sessions = isOfSessions(operation) ? await connectSessions(own, operation.name) : [];
  return {
    callers: callersOf(
      operation,
      own,
      sessions.map(({ connectToken }) => connectToken),
    ),
    others: [
      caller(cast.live),
      caller(cast.visitor),
      { name: 'narrow', tenant: own, authorization: `Bearer ${narrowToken}` },
    ],
    has: {
      ...own.has,
      ...extras,
      sessionTokens: extras.sessionTokens ?? sessions.map(({ sessionToken }) => sessionToken),
    },
    pair: own.app.pair,
    victim,
    cursors: (
      await Promise.all([own, victim].map((tenant) => cursorsFor(operation, tenant)))
    ).flat(),
    returnAddresses: sessions.flatMap(({ returnAddress }) => returnAddress ?? []),
    seqs: sessions.length === 0 ? [1] : sessions.map(({ seq }) => seq),
    webhook,
  };
}

/** Cursors that point behind the first row of the list. */
async function cursorsFor(
  { auth, path, parameters }: Operation,
  { app, has }: Tenant,
): Promise<string[]> {
  if (auth !== 'bearer' || !parameters.some(({ name }) => name === 'cursor')) return [];
  if (path.endsWith('/sync')) return has.syncCursors;
  const [id = ''] = path.startsWith('/users/') ? has.users : has.links;
  const page = await app.get<{
    next_cursor?: string;
    cursor?: { next: string };
    cursors?: { next: string };
  }>(`${path.replace('{id}', id)}?limit=1`);
  return [page.next_cursor, page.cursor?.next, page.cursors?.next].flatMap((next) => next ?? []);
}

function isOfSessions({ auth, path }: Operation): boolean {
  return auth === 'connect' || /\/session\/(resume|resumable)$/.test(path);
}

function callersOf({ auth }: Operation, own: Tenant, connectTokens: string[]): Caller[] {
  switch (auth) {
    case 'bearer':
      return [caller(own)];
    case 'connect':
      return connectTokens.map((token) => ({
        name: 'a session',
        tenant: null,
        authorization: `Bearer ${token}`,
      }));
    case 'none':
      return [{ name: 'anyone', tenant: null, authorization: null }];
  }
}

function caller(tenant: Tenant): Caller {
  return { name: tenant.name, tenant, authorization: `Bearer ${tenant.accessToken}` };
}

async function fault(own: Tenant): Promise<string> {
  const fields = { kind: 'timeout', operation: 'identity', world_id: own.has.worlds[0] };
  return (await own.sandbox.fault(INSTANT_BANK, fields)).fault_id;
}

function repeat<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, make));
}
