import { randomUUID } from 'node:crypto';
import { eventually } from '../../../support/assertions/eventually.js';
import {
  AppBackEnd,
  ConnectVisit,
  expectStatus,
  INSTANT_BANK,
} from '../../../support/actors/link-journey.js';
import { SandboxCaller } from '../../../support/actors/sandbox-caller.js';
import { PRODUCTS } from '../../../../domain/link/products.js';

/** The data of an app by kind; most calls succeed with the first of a kind. */
export interface Resources {
  links: string[];
  accounts: string[];
  transactions: string[];
  events: string[];
  sessions: string[];
  worlds: string[];
  faults: string[];
  users: string[];
  simplefinTokens: string[];
  listeners: string[];
  deliveryTokens: string[];
  tags: string[];
  syncCursors: string[];
  exchangeableTokens: string[];
  sessionTokens: string[];
  connectTokens: string[];
}

export interface Tenant {
  name: string;
  app: AppBackEnd;
  sandbox: SandboxCaller;
  accessToken: string;
  has: Resources;
}

const NOTHING: Resources = {
  links: [],
  accounts: [],
  transactions: [],
  events: [],
  sessions: [],
  worlds: [],
  faults: [],
  users: [],
  simplefinTokens: [],
  listeners: [],
  deliveryTokens: [],
  tags: [],
  syncCursors: [],
  exchangeableTokens: [],
  sessionTokens: [],
  connectTokens: [],
};

/** The return address of the sessions of these apps. */
export const RETURN_ADDRESS = 'https://app.example/bank-return';

export async function arrive(name: string, app: AppBackEnd): Promise<Tenant> {
  return {
    name,
    app,
    sandbox: new SandboxCaller(app),
    accessToken: await app.accessToken(),
    has: NOTHING,
  };
}

/** Creates data of every kind for a Sandbox app: links in several states, a world with a fault. */
export async function settle(tenant: Tenant, webhook: string): Promise<void> {
  const { app, sandbox, name } = tenant;
  const user = `${name}-person-${randomUUID()}`;
  const tag = `${name}-tag-${randomUUID()}`;
  const fields = {
    institution_id: INSTANT_BANK,
    customer_user: { id: user },
    settings: { products: PRODUCTS },
    tags: [tag],
    webhook,
  };
  const world = await sandbox.world({ name: `${name}-world`, seed: 1 });
  const [main, expired, imported, deleted, token] = await Promise.all([
    sandbox.link(fields),
    sandbox.link(fields),
    importLink(tenant, user),
    importLink(tenant, user),
    exchangeableToken(tenant),
  ]);
  await expectStatus(204, app.call('DELETE', `/links/${deleted}`));
  await expectStatus(200, app.call('POST', `/links/${expired.link_id}/reset`));
  const [accounts, rows, walk, events, fault, session] = await Promise.all([
    app.get<{ accounts: { account_id: string }[] }>(`/links/${main.link_id}/accounts`),
    app.get<{ transactions: { transaction_id: string }[] }>(
      `/links/${main.link_id}/transactions?size=3`,
    ),
    app.walk(main.link_id, { size: 500 }),
    app.get<{ events: { event_id: string }[] }>(`/webhooks/events?link_id=${main.link_id}`),
    sandbox.fault(INSTANT_BANK, {
      kind: 'no_permission',
      operation: 'identity',
      count: null,
      world_id: world.world_id,
    }),
    openSession(tenant, user),
  ]);
  const listening = await listener(tenant);
  tenant.has = {
    ...listening,
    links: [main.link_id, expired.link_id, imported, deleted],
    accounts: accounts.accounts.map(({ account_id: id }) => id),
    transactions: rows.transactions.map(({ transaction_id: id }) => id),
    events: events.events.map(({ event_id: id }) => id),
    sessions: [session.visit.view.session_id],
    worlds: [world.world_id],
    faults: [fault.fault_id],
    users: [user],
    simplefinTokens: [await simplefinToken(tenant, user)],
    tags: [tag],
    syncCursors: [walk.cursor],
    exchangeableTokens: [token],
    sessionTokens: [session.sessionToken],
    connectTokens: [session.visit.connectToken],
  };
}

/** A link that needs no bank. */
export async function importLink({ app }: Tenant, user: string = randomUUID()): Promise<string> {
  const account = {
    account_id: 'a',
    name: 'Checking',
    type: 'depository.checking',
    balances: { currency: 'USD', current: 1 },
  };
  const body = { customer_user: { id: user }, institution_id: INSTANT_BANK, accounts: [account] };
  return (await expectStatus(200, app.call<{ link_id: string }>('POST', '/links/import', { body })))
    .link_id;
}

export async function simplefinToken({ app }: Tenant, user: string): Promise<string> {
  const path = `/users/${user}/simplefin-tokens`;
  return (await expectStatus(200, app.call<{ token_id: string }>('POST', path))).token_id;
}

/**
 * A listener, and the first event that it hears. An app may have 20, and those that requests of a
 * test have created end a minute after their last call.
 */
export async function listener({
  app,
}: Tenant): Promise<Pick<Resources, 'listeners' | 'events' | 'deliveryTokens'>> {
  const body = { since: '2020-01-01' };
  const { listener_id: id } = await eventually(() =>
    expectStatus(200, app.call<{ listener_id: string }>('POST', '/webhooks/listeners', { body })),
  );
  const { deliveries } = await app.get<{
    deliveries: { event_id: string; delivery_token: string }[];
  }>(`/webhooks/listeners/${id}/deliveries?limit=1`);
  return {
    listeners: [id],
    events: deliveries.map(({ event_id: of }) => of),
    deliveryTokens: deliveries.map(({ delivery_token: token }) => token),
  };
}

export async function exchangeableToken({ sandbox }: Tenant): Promise<string> {
  const body = {
    institution_id: INSTANT_BANK,
    customer_user: { id: randomUUID() },
    result: 'exchangeable_token',
  };
  const response = await sandbox.ask<{ exchangeable_token: string }>('POST', '/sandbox/link', body);
  return response.exchangeable_token;
}

export async function openSession(
  { app }: Tenant,
  user: string = randomUUID(),
): Promise<{ sessionToken: string; visit: ConnectVisit }> {
  const { link_session_token: sessionToken } = await app.createSession({
    customer_user: { id: user },
    redirect_uri: RETURN_ADDRESS,
  });
  return { sessionToken, visit: await ConnectVisit.open(app.baseUrl, sessionToken) };
}
