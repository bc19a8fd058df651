import { randomUUID } from 'node:crypto';
import { SessionTimeRepository } from '../../../prisma/linking/session-time.repository.js';
import { forgetPlaidTokens } from '../../../prisma/plaid/plaid-session.repository.js';
import { errorOf, type ApiResponse } from '../../support/services/api-client.js';
import {
  BANK,
  connectedLink,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import { OAUTH_BANK } from '../../support/services/row-steps.js';

/** link-lifecycle 2.6, webhooks 2.6, native-api 3.3 and 4.12. */
let service: ApiInProcess;
let token: string;

beforeAll(async () => {
  service = await startApiInProcess();
  token = await service.token('pocket-ledger');
});
afterAll(() => service?.close());

const HOOK = 'https://app.example/hook';
const RETURN = 'https://app.example/done';
const WEEK = 604_800;

interface Created {
  link_session_token: string;
  session_id: string;
  expires_at: string;
  hosted_url: string | null;
}
interface Session {
  state: string;
  outcome: string | null;
  link_id: string | null;
  exchangeable_token: string | null;
}
interface Page {
  post(path: string, json?: object): Promise<ApiResponse>;
  seq: number;
}

const create = (fields: object = {}): Promise<ApiResponse> =>
  service.api.as(token).post('/link-session', {
    json: { customer_user: { id: 'user-4711' }, webhook: HOOK, hosted: {}, ...fields },
  });
const created = async (fields: object = {}) => {
  const response = await create(fields);
  if (response.status !== 201) throw new Error(`${response.status}: ${response.text}`);
  return response.body as Created;
};
const read = async (id: string, bearer = token) =>
  service.api.as(bearer).get(`/link-sessions/${id}`);
const session = async (id: string) => (await read(id)).body as Session;

const openCall = ({ link_session_token: sessionToken }: Created) =>
  service.api.post('/connect/api/session/open', {
    json: {
      link_session_token: sessionToken,
      request_id: randomUUID(),
      origin: new URL(service.connectBaseUrl).origin,
      platform: 'web',
      sdk: { name: 'hosted', version: '0.1.0' },
    },
  });

/** The hosted page, as a browser runs it. */
async function open(from: Created): Promise<Page> {
  const { body } = await openCall(from);
  const { connect_token: connectToken, seq } = body as { connect_token: string; seq: number };
  return {
    seq,
    post: (path, json = {}) =>
      service.api.as(connectToken).post(`/connect/api/session${path}`, {
        json: { request_id: randomUUID(), ...json },
      }),
  };
}
const signIn = ({ post, seq }: Page) =>
  post('/step', { seq, input: { kind: 'select_institution', institution_id: BANK } });
const leave = ({ post }: Page) => post('/exit', { reason: 'user_closed' });
const exchange = (exchangeableToken: string | null) =>
  service.api
    .as(token)
    .post('/link-session/exchange-token', { json: { exchangeable_token: exchangeableToken } });

/** Lets the time of the session pass, as the sweeper notices it. */
async function expire({ session_id: sessionId }: Created): Promise<void> {
  await service.database.prisma.linkSession.update({
    where: { sessionId },
    data: { expiresAt: new Date(Date.now() - 1) },
  });
  await new SessionTimeRepository(service.ctx).expireIfDue(sessionId);
}

/** The ends of a session in the event log, oldest first. */
async function ends({ session_id: sessionId }: Created) {
  const { body } = await service.api
    .as(token)
    .get('/webhooks/events?webhook_event=link_session.finished&limit=500');
  const { events } = body as {
    events: { event_id: string; link_id: string; status: string; body: Record<string, unknown> }[];
  };
  return events.filter(({ body: sent }) => sent['session_id'] === sessionId);
}
const outcomes = async (from: Created) =>
  (await ends(from)).map(({ body: sent }) => sent['outcome']);

describe('POST /link-session', () => {
  it('returns the address of a hosted session when it is asked for, and its id always', async () => {
    const hosted = await created();
    expect(hosted).toEqual({
      link_session_token: expect.stringMatching(/^sandbox_ls_/),
      session_id: expect.stringMatching(/^ses_/),
      expires_at: expect.any(String),
      hosted_url: `${service.connectBaseUrl}/hosted#token=${hosted.link_session_token}`,
    });
    expect(await created({ hosted: undefined })).toMatchObject({
      session_id: expect.stringMatching(/^ses_/),
      hosted_url: null,
    });
  });

  it.each([
    ['the usual time', {}, 1_800],
    ['a minute', { expires_in_seconds: 60 }, 60],
    ['a week', { expires_in_seconds: WEEK }, WEEK],
  ])('creates a hosted session that may be opened for %s', async (_, hosted, seconds) => {
    const { expires_at: expiresAt } = await created({ hosted });
    const left = (Date.parse(`${expiresAt}Z`) - Date.now()) / 1_000;
    expect(left).toBeGreaterThan(seconds - 30);
    expect(left).toBeLessThanOrEqual(seconds);
  });

  it.each([
    ['a shorter time than a minute', { expires_in_seconds: 59 }, 'expires_in_seconds'],
    ['a longer time than a week', { expires_in_seconds: WEEK + 1 }, 'expires_in_seconds'],
    ['half a second', { expires_in_seconds: 60.5 }, 'expires_in_seconds'],
    ['a time in words', { expires_in_seconds: '60' }, 'expires_in_seconds'],
    ['a return_url with a query', { return_url: `${RETURN}?x=1` }, 'return_url'],
    ['a return_url with a fragment', { return_url: `${RETURN}#x` }, 'return_url'],
    ['a return_url that is a script', { return_url: 'javascript:/alert(1)' }, 'return_url'],
    ['a return_url without encryption', { return_url: 'http://app.example/done' }, 'return_url'],
    ['a relative return_url', { return_url: '/done' }, 'return_url'],
    ['an empty return_url', { return_url: '' }, 'return_url'],
  ])('refuses %s of a hosted session', async (_, hosted, field) => {
    expect(errorOf(await create({ hosted }))).toEqual({
      status: 422,
      code: 'api_error.request.validation_failed',
      locations: [`body.hosted.${field}`],
    });
  });

  it('refuses a return_url that is not on the list of the app', async () => {
    const app = { where: { appId: 'pocket-ledger' } };
    const { application } = service.database.prisma;
    await application.update({ ...app, data: { redirectOrigins: ['https://app.example'] } });
    const refused = await create({ hosted: { return_url: 'https://evil.example/done' } });
    const accepted = await create({ hosted: { return_url: RETURN } });
    await application.update({ ...app, data: { redirectOrigins: [] } });
    expect(errorOf(refused)).toMatchObject({
      status: 403,
      code: 'link_session_error.forbidden_config',
    });
    expect(accepted.status).toBe(201);
  });

  it('needs no redirect_uri for a bank with its own login pages in a hosted session', async () => {
    expect((await create({ institution_id: OAUTH_BANK, hosted: undefined })).status).toBe(422);
    const { body } = await openCall(await created({ institution_id: OAUTH_BANK }));
    expect(body).toMatchObject({ redirect_uri: `${service.connectBaseUrl}/hosted` });
  });
});

it('A hosted address opens in one browser only, and a token without an address not on its page', async () => {
  const from = await created();
  expect((await openCall(from)).status).toBe(200);
  expect(errorOf(await openCall(from))).toMatchObject({
    status: 401,
    code: 'connect_error.invalid_session_token',
  });
  expect(errorOf(await openCall(await created({ hosted: undefined })))).toMatchObject({
    status: 403,
    code: 'connect_error.origin_not_allowed',
  });
});

describe('A hosted session for a new link', () => {
  it('delivers its result to the back end and none of its tokens to the page', async () => {
    const from = await created({ hosted: { return_url: RETURN }, tags: ['tier:gold'] });
    const page = await open(from);
    expect((await signIn(page)).status).toBe(200);

    const { session_id: sessionId } = from;
    const reading = await session(sessionId);
    const { link_id: linkId, exchangeable_token: exchangeableToken } = reading;
    expect(reading).toMatchObject({
      session_id: sessionId,
      mode: 'link',
      state: 'succeeded',
      outcome: 'linked',
      customer_user: { id: 'user-4711' },
      institution_id: BANK,
      link_id: expect.stringMatching(/^mk_/),
      existing_link_id: null,
      tags: ['tier:gold'],
      hosted: { return_url: RETURN },
      exchangeable_token: expect.stringMatching(/^sandbox_xt_/),
    });
    const [event, ...more] = await ends(from);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      link_id: linkId,
      status: 'pending',
      body: { link_id: linkId, link_tags: ['tier:gold'], session_id: sessionId, outcome: 'linked' },
    });

    const finished = await page.post('/finish');
    expect(finished.body).toEqual({
      mode: 'link',
      session_id: sessionId,
      institution: expect.objectContaining({ institution_id: BANK }),
      accounts: [expect.anything(), expect.anything()],
      completion_redirect_uri: `${RETURN}?session_id=${sessionId}&outcome=linked`,
    });
    // Neither the page nor another reading makes a new token.
    expect((await session(sessionId)).exchangeable_token).toBe(exchangeableToken);
    expect(await outcomes(from)).toEqual(['linked']);
    const stored = await service.database.prisma.webhookEvent.findMany({
      where: { linkId: linkId ?? '' },
    });
    expect(JSON.stringify(stored.map(({ body }) => body))).not.toMatch(/_(xt|ls)_/);

    expect(await exchange(exchangeableToken)).toMatchObject({
      status: 201,
      body: { link_id: linkId, customer_user: { id: 'user-4711' } },
    });
    expect(await session(sessionId)).toMatchObject({
      state: 'ended',
      outcome: 'linked',
      link_id: linkId,
      exchangeable_token: null,
    });
  });

  it('shows its result on the page although the back end was faster', async () => {
    const from = await created({ hosted: { return_url: RETURN } });
    const page = await open(from);
    await signIn(page);
    await exchange((await session(from.session_id)).exchangeable_token);
    expect(await page.post('/finish')).toMatchObject({
      status: 200,
      body: { mode: 'link', completion_redirect_uri: expect.stringContaining('outcome=linked') },
    });
    expect(errorOf(await openCall(from))).toMatchObject({
      status: 410,
      code: 'connect_error.session_closed',
    });
  });

  it('keeps no token once it cannot be exchanged any more', async () => {
    const from = await created();
    await signIn(await open(from));
    const { session_id: sessionId } = from;
    const { link_id: linkId } = await session(sessionId);
    await service.database.prisma.link.update({
      where: { linkId: linkId ?? '' },
      data: { exchangeExpiresAt: new Date(Date.now() - 1) },
    });
    expect(await session(sessionId)).toMatchObject({ outcome: 'linked', exchangeable_token: null });
    await new SessionTimeRepository(service.ctx).expireIfDue(sessionId);
    await forgetPlaidTokens(service.ctx, new Date(Date.now() + 86_400_000));
    expect(
      await service.database.prisma.linkSession.findUniqueOrThrow({ where: { sessionId } }),
    ).toMatchObject({ state: 'ended', sealedPublicToken: null });
  });
});

it('A hosted session for an existing link repairs it without a token, and announces it to the address of the link', async () => {
  const linkId = await connectedLink(service, token, { webhook: 'https://app.example/of-link' });
  await service.api.as(token).post(`/links/${linkId}/reset`);
  const from = await created({
    existing_link_id: linkId,
    webhook: undefined,
    hosted: { return_url: RETURN },
  });
  expect(await session(from.session_id)).toMatchObject({ outcome: null, link_id: linkId });
  const page = await open(from);
  await signIn(page);
  expect((await page.post('/finish')).body).toMatchObject({
    mode: 'relink',
    completion_redirect_uri: `${RETURN}?session_id=${from.session_id}&outcome=relinked`,
  });
  expect(await session(from.session_id)).toMatchObject({
    outcome: 'relinked',
    link_id: linkId,
    existing_link_id: linkId,
    exchangeable_token: null,
  });
  const [event] = await ends(from);
  expect(event?.body).toMatchObject({ link_id: linkId, outcome: 'relinked' });
  const { body } = await service.api.as(token).get(`/webhooks/events/${event?.event_id ?? ''}`);
  expect(body).toMatchObject({ deliveries: [{ url: 'https://app.example/of-link' }] });
});

describe('The end of a hosted session without a result', () => {
  it.each<[string, (from: Created) => Promise<unknown>, string[]]>([
    ['is not announced while it lasts', async (from) => open(from), []],
    ['is announced when no one opened it', expire, ['expired']],
    [
      'is announced when its user closed the window',
      async (from) => {
        await open(from);
        await expire(from);
      },
      ['expired'],
    ],
    [
      'is announced once when its user left',
      async (from) => {
        await leave(await open(from));
        await expire(from);
      },
      ['exited'],
    ],
  ])('%s', async (_, act, announced) => {
    const from = await created();
    await act(from);
    expect(await outcomes(from)).toEqual(announced);
    expect((await session(from.session_id)).outcome).toBe(announced[0] ?? null);
    for (const { body, link_id: logged } of await ends(from)) {
      expect(body).toMatchObject({ link_id: null, link_tags: [] });
      expect(logged).toBe(from.session_id);
    }
  });

  it('returns its user to the return_url with the session and the outcome', async () => {
    const from = await created({ hosted: { return_url: RETURN } });
    expect((await leave(await open(from))).body).toEqual({
      closed: true,
      completion_redirect_uri: `${RETURN}?session_id=${from.session_id}&outcome=exited`,
    });
    const late = await created({ hosted: { return_url: RETURN } });
    const page = await open(late);
    await expire(late);
    expect((await leave(page)).body).toEqual({
      closed: true,
      completion_redirect_uri: `${RETURN}?session_id=${late.session_id}&outcome=expired`,
    });
  });

  it('is not announced for a session in an SDK', async () => {
    const from = await created({ hosted: undefined });
    await expire(from);
    expect(await outcomes(from)).toEqual([]);
    expect((await session(from.session_id)).outcome).toBe('expired');
  });

  it('is not announced when the app itself ended it', async () => {
    const linkId = await connectedLink(service, token);
    const first = await created({ existing_link_id: linkId });
    const second = await created({ existing_link_id: linkId });
    expect(await session(first.session_id)).toMatchObject({ outcome: 'superseded' });
    await service.api.as(token).delete(`/links/${linkId}`);
    expect(await session(second.session_id)).toMatchObject({ outcome: 'canceled' });
    expect([...(await outcomes(first)), ...(await outcomes(second))]).toEqual([]);
    // The page shows why in words: connect_error has a text in each language of Connect.
    expect(errorOf(await openCall(first)).code).toBe('connect_error.session_moved');
    expect(errorOf(await openCall(second)).code).toBe('connect_error.session_closed');
  });

  it('can be replayed to the address of its session', async () => {
    const [from, silent] = [await created(), await created({ webhook: null })];
    await expire(from);
    await expire(silent);
    const [[event], [unsent]] = [await ends(from), await ends(silent)];
    const path = `/webhooks/events/${event?.event_id ?? ''}`;
    expect((await service.api.as(token).post(`${path}/replay`)).status).toBe(200);
    expect((await service.api.as(token).get(path)).body).toMatchObject({
      deliveries: [{ url: HOOK }, { url: HOOK, reason: 'replay' }],
    });
    expect(unsent?.status).toBe('no_address');
  });
});

describe('GET /link-sessions/{id}', () => {
  it.each(['ses_2222222222222222222222', 'nonsense'])('returns 404 for %s', async (id) =>
    expect(errorOf(await read(id))).toMatchObject({
      status: 404,
      code: 'link_session_error.not_found',
    }),
  );

  it("returns 404 for another app's session and for one of the other environment", async () => {
    const { session_id: id } = await created();
    const others = [await service.token('rival'), await service.token('pocket-ledger', 'live')];
    for (const other of others)
      expect(errorOf(await read(id, other))).toMatchObject({
        status: 404,
        code: 'link_session_error.not_found',
      });
  });

  it('shows no token of a session in an SDK', async () => {
    const from = await created({ hosted: undefined });
    const opened = await service.api.post('/connect/api/session/open', {
      json: {
        link_session_token: from.link_session_token,
        request_id: randomUUID(),
        origin: 'https://app.example',
        platform: 'web',
      },
    });
    const { connect_token: connectToken, seq } = opened.body as {
      connect_token: string;
      seq: number;
    };
    await signIn({
      seq,
      post: (path, json) =>
        service.api.as(connectToken).post(`/connect/api/session${path}`, {
          json: { request_id: randomUUID(), ...json },
        }),
    });
    expect(await session(from.session_id)).toMatchObject({
      outcome: 'linked',
      hosted: null,
      exchangeable_token: null,
    });
  });
});

it('GET /link-sessions shows a session whose token can be exchanged, without any token', async () => {
  const from = await created({ customer_user: { id: 'listed' } });
  await signIn(await open(from));
  const { exchangeable_token: exchangeable, ...shown } = await session(from.session_id);
  expect(exchangeable).toMatch(/^sandbox_xt_/);
  const { body } = await service.api.as(token).get('/link-sessions?user=listed');
  expect(body).toEqual({ link_sessions: [shown], next_cursor: '' });
});
