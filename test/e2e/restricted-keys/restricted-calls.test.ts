import { randomUUID } from 'node:crypto';
import { CONTROLLERS } from '../../../apps/api/src/server/api.module.js';
import { routesOf } from '../../../apps/api/src/http/routes-of.js';
import { PLAID_PATHS } from '../../../apps/api/src/plaid/plaid-paths.js';
import type { Restriction } from '../../../domain/api/environment.js';
import { hashClientSecret } from '../../../prisma/tenants/applications/client-secret.js';
import { KeyPairRepository } from '../../../prisma/tenants/applications/key-pair.repository.js';
import { addItemToken } from '../../../prisma/views/plaid/add-item-token.js';
import type { ApiClient } from '../../support/services/api-client.js';
import {
  clientId,
  clientSecret,
  connectedLink,
  finishedSession,
  startApiInProcess,
  tenant,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import {
  filled,
  NATIVE_CALLS,
  PLAID_CALLS,
  type Ids,
  type RestrictedCall,
} from './support/restricted-calls.js';

interface Pair {
  client_id: string;
  secret: string;
}

const WHOLE: Pair = {
  client_id: clientId('pocket-ledger', 'sandbox'),
  secret: clientSecret('pocket-ledger', 'sandbox'),
};
const RIVAL: Pair = {
  client_id: clientId('rival', 'sandbox'),
  secret: clientSecret('rival', 'sandbox'),
};
const KINDS = ['users', 'links'] as const;

let service: ApiInProcess;
let ann: Ids;
let bob: Ids;
let pairs: Record<(typeof KINDS)[number], Pair>;

beforeAll(async () => {
  service = await startApiInProcess();
  const whole = await tokenOf(WHOLE);
  ann = await dataOf('ann', whole);
  bob = await dataOf('bob', whole);
  pairs = {
    users: await restrictedTo({ users: ['ann'] }),
    links: await restrictedTo({ links: [ann.link] }),
  };
});
afterAll(() => service.close());

/** Each pair needs one token. */
const tokens = new Map<Pair, Promise<string>>();
function tokenOf(pair: Pair): Promise<string> {
  const token = tokens.get(pair) ?? fetchToken(pair);
  tokens.set(pair, token);
  return token;
}

async function fetchToken({ client_id, secret }: Pair): Promise<string> {
  const { body } = await service.api.post('/auth/token', {
    form: { client_id, client_secret: secret },
  });
  return (body as { access_token: string }).access_token;
}

async function restrictedTo(restriction: Restriction): Promise<Pair> {
  const pair = { client_id: `sandbox_${randomUUID()}`, secret: randomUUID() };
  const outcome = await new KeyPairRepository(service.ctx).create({
    ...tenant('pocket-ledger'),
    clientId: pair.client_id,
    secretHash: hashClientSecret(pair.secret),
    label: null,
    scopes: null,
    restriction,
    endsAt: null,
    sharePercent: null,
  });
  expect(outcome.kind).toBe('done');
  return pair;
}

/** A link with an event and an access token, and a second one that waits for its exchange. */
async function dataOf(user: string, token: string): Promise<Ids> {
  const api = service.api.as(token);
  const request = { customer_user: { id: user }, webhook: 'https://hooks.example/bank' };
  const link = await connectedLink(service, token, request);
  const { exchangeableToken, sessionId } = await finishedSession(service, token, request);
  const { body } = await api.get(`/webhooks/events?link_id=${link}`);
  const { events } = body as { events: { event_id: string }[] };
  const { ctx } = service;
  const { pk } = await ctx.database.prisma.link.findUniqueOrThrow({ where: { linkId: link } });
  const access = await ctx.database.transaction((tx) =>
    addItemToken(ctx, tx, { ...tenant('pocket-ledger'), clientId: WHOLE.client_id }, pk),
  );
  return {
    user,
    link,
    account: 'acc_x',
    session: sessionId,
    event: events[0]?.event_id ?? '',
    listener: await listenerOf(api),
    exchangeable: exchangeableToken,
    access,
    linkToken: await linkTokenFor(user),
  };
}

async function listenerOf(api: ApiClient): Promise<string> {
  const { body } = await api.post('/webhooks/listeners');
  return (body as { listener_id: string }).listener_id;
}

/** The answer to a call about the data of a user, without the time of the call. */
async function native(api: ApiClient, [call, , request = {}]: RestrictedCall, ids: Ids) {
  const [method = '', path = ''] = filled(call, ids).split(' ');
  const { status, headers, text } = await api.send(method, path, filled(request, ids));
  const body = JSON.parse(text === '' ? 'null' : text) as unknown;
  const timeless = Object.assign(body ?? {}, { exported_at: null });
  const challenge = headers.get('www-authenticate');
  return { status, challenge, body: timeless, text: JSON.stringify(timeless) };
}

async function plaid(pair: Pair, [path, , request = {}]: RestrictedCall, ids: Ids) {
  const response = await fetch(service.api.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...pair, ...(filled(request.json, ids) as object) }),
  });
  const { request_id: _, ...body } = (await response.json()) as Record<string, unknown>;
  return { status: response.status, body, text: JSON.stringify(body) };
}

const CREATE_LINK_TOKEN = callTo('/link/token/create');
const SHOW_LINK_TOKEN = callTo('/link/token/get');

function callTo(path: string): RestrictedCall {
  const call = PLAID_CALLS.find(([known]) => known === path);
  if (call === undefined) throw new Error(`the table has no ${path}`);
  return call;
}

async function linkTokenFor(user: string): Promise<string> {
  const { body } = await plaid(WHOLE, CREATE_LINK_TOKEN, { user } as Ids);
  return String(body['link_token']);
}

const callsOf = (calls: readonly RestrictedCall[], limit: RestrictedCall[1]) =>
  KINDS.flatMap((kind) =>
    calls.filter((call) => call[1] === limit).map((call) => [kind, call[0], call] as const),
  );

describe('Every call with a credential', () => {
  it('is in the table of what a restricted key pair may do', () => {
    const shape = (call: string) =>
      call
        .replace(
          /\{\w+\}|:\w+|sandbox-instant-bank|flt_x|txn_x|sft_x|whd_x|(?<=worlds\/)default/g,
          '*',
        )
        .replaceAll(/:\w+|\{\w+\}/g, '*');
    const declared = CONTROLLERS.flatMap(routesOf)
      .filter(({ auth }) => auth === 'bearer')
      .map(({ method, path }) => shape(`${method} ${path}`));
    expect([...new Set(NATIVE_CALLS.map(([call]) => shape(call)))].sort()).toEqual(
      [...new Set(declared)].sort(),
    );
    expect(PLAID_CALLS.map(([path]) => path).sort()).toEqual([...PLAID_PATHS].sort());
  });
});

describe('A key pair limited to users or links', () => {
  it.each(callsOf(NATIVE_CALLS, 'foreign'))(
    '(%s) gets the answer of another app from %s about another user',
    async (kind, _, call) => {
      const [restricted, rival] = [await tokenOf(pairs[kind]), await tokenOf(RIVAL)];
      const answer = await native(service.api.as(restricted), call, bob);
      expect(answer).toEqual(await native(service.api.as(rival), call, bob));
      expect(answer.text).not.toContain(bob.link);
    },
  );

  it.each(callsOf(NATIVE_CALLS, 'creates'))(
    '(%s) is refused by %s for another user',
    async (kind, _, call) => {
      const api = service.api.as(await tokenOf(pairs[kind]));
      expect(await native(api, call, bob)).toMatchObject({
        status: 401,
        body: {
          error_code: 'api_error.auth.unauthorized',
          error_message: 'The key pair is limited to other users, or to existing links.',
        },
      });
      // A pair with links has only those.
      const own = await native(api, call, { ...ann, user: 'ann' });
      expect([kind, own.status < 300]).toEqual([kind, kind === 'users']);
    },
  );

  it.each(callsOf(NATIVE_CALLS, 'whole-app'))(
    '(%s) lacks the scope for %s',
    async (kind, _, call) => {
      const api = service.api.as(await tokenOf(pairs[kind]));
      expect(await native(api, call, ann)).toMatchObject({
        status: 401,
        challenge: 'Bearer error="insufficient_scope", scope="sandbox:write"',
        body: { error_message: 'The token lacks the scope sandbox:write.' },
      });
    },
  );

  it.each(callsOf(NATIVE_CALLS, 'unaffected'))(
    '(%s) may make the call %s',
    async (kind, _, call) => {
      const api = service.api.as(await tokenOf(pairs[kind]));
      expect((await native(api, call, ann)).status).toBe(200);
    },
  );

  it.each(KINDS)('(%s) lists only the permitted links and events', async (kind) => {
    const api = service.api.as(await tokenOf(pairs[kind]));
    const links = (await api.get('/links')).body as { links: { link_id: string }[] };
    expect(links.links.map(({ link_id }) => link_id)).toContain(ann.link);
    expect((await api.get('/link-sessions')).text).toContain(ann.link);
    const pages = [
      '/links',
      '/links?state=connected',
      '/links?user=bob',
      '/link-sessions',
      '/link-sessions?user=bob',
      `/link-sessions?link_id=${bob.link}`,
      '/webhooks/events',
      '/webhooks/events?order=desc',
      '/webhooks/events?status=pending',
    ];
    for (const page of pages) {
      const { status, text } = await api.get(page);
      expect({ page, status }).toEqual({ page, status: 200 });
      for (const id of [bob.link, bob.session, bob.event]) expect(text).not.toContain(id);
    }
    const whole = service.api.as(await tokenOf(WHOLE));
    const matched = async (caller: ApiClient, linkId?: string) => {
      const { body } = await caller.post('/webhooks/events/replay', {
        json: {
          created_after: '2026-01-01T00:00:00',
          dry_run: true,
          ...(linkId === undefined ? {} : { link_id: linkId }),
        },
      });
      return (body as { matched: number }).matched;
    };
    expect([await matched(api, bob.link), await matched(api, ann.link)]).toEqual([
      0,
      await matched(whole, ann.link),
    ]);
  });

  it.each(KINDS)('(%s) hears only the permitted events', async (kind) => {
    const api = service.api.as(await tokenOf(pairs[kind]));
    const { body } = await api.post('/webhooks/listeners', { json: { since: '2026-01-01' } });
    const { listener_id: id } = body as { listener_id: string };
    const { text } = await api.get(`/webhooks/listeners/${id}/deliveries`);
    expect(text).toContain(ann.event);
    for (const foreign of [bob.link, bob.session, bob.event]) expect(text).not.toContain(foreign);
  });

  it.each(KINDS)('(%s) reads its own link as the whole app does', async (kind) => {
    const [own, whole] = [await tokenOf(pairs[kind]), await tokenOf(WHOLE)];
    for (const path of [
      '/links/{link}',
      '/links/{link}/accounts',
      '/links/{link}/transactions/sync',
      '/webhooks/events/{event}',
    ]) {
      const call: RestrictedCall = [`GET ${path}`, 'foreign'];
      const answer = await native(service.api.as(own), call, ann);
      expect(answer).toEqual(await native(service.api.as(whole), call, ann));
    }
  });

  it('(users) shows a session of its user, and exchanges its token', async () => {
    const api = service.api.as(await tokenOf(pairs.users));
    expect((await api.get(`/link-sessions/${ann.session}`)).status).toBe(200);
    const exchange = { json: { exchangeable_token: ann.exchangeable } };
    expect((await api.post('/link-session/exchange-token', exchange)).status).toBe(201);
  });

  it('does not replay the outcome of an idempotency key of another pair', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const json = { customer_user: { id: 'bob' }, settings: { products: ['transactions'] } };
    const post = async (pair: Pair) =>
      (await service.api.as(await tokenOf(pair)).post('/link-session', { json, headers })).status;
    expect([await post(WHOLE), await post(pairs.users)]).toEqual([201, 401]);
  });
});

describe('The Plaid-compatible layer for a key pair limited to users or links', () => {
  it.each(callsOf(PLAID_CALLS, 'foreign'))(
    '(%s) answers %s as for an Item of another app',
    async (kind, _, call) => {
      expect(await plaid(pairs[kind], call, bob)).toEqual(await plaid(RIVAL, call, bob));
    },
  );

  it.each([...callsOf(PLAID_CALLS, 'whole-app'), ...callsOf(PLAID_CALLS, 'creates')])(
    '(%s) refuses %s',
    async (kind, _, call) => {
      expect(await plaid(pairs[kind], call, bob)).toMatchObject({
        status: 400,
        body: { error_type: 'INVALID_INPUT', error_code: 'UNAUTHORIZED_ROUTE_ACCESS' },
      });
    },
  );

  it('allows what does not concern another user', async () => {
    for (const call of [CREATE_LINK_TOKEN, SHOW_LINK_TOKEN])
      expect((await plaid(pairs.users, call, ann)).status).toBe(200);
    for (const kind of KINDS) {
      expect(
        (
          await plaid(
            pairs[kind],
            ['/item/get', 'foreign', { json: { access_token: '{access}' } }],
            ann,
          )
        ).status,
      ).toBe(200);
      for (const [, , call] of callsOf(PLAID_CALLS, 'unaffected'))
        expect(await plaid(pairs[kind], call, ann)).toEqual(await plaid(WHOLE, call, ann));
    }
  });
});

// After all calls about bob.
describe('The data of another user', () => {
  it('is still there after every call of a restricted key pair', async () => {
    const { prisma } = service.database;
    expect(await prisma.customerUser.count({ where: { userId: 'bob' } })).toBe(1);
    expect(await prisma.link.findUnique({ where: { linkId: bob.link } })).toMatchObject({
      state: 'connected',
      tags: [],
    });
    expect(await prisma.itemAccessToken.count({ where: { revokedAt: { not: null } } })).toBe(0);
  });
});
