import { SessionTimeRepository } from '../../../prisma/work/linking/session-time.repository.js';
import { forgetPlaidTokens } from '../../../prisma/views/plaid/plaid-session.repository.js';
import { errorOf } from '../../support/services/api-client.js';
import { BANK, connectedLink } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';
import {
  created,
  ends,
  exchange,
  expire,
  HOOK,
  leave,
  open,
  openCall,
  outcomes,
  RETURN,
  session,
  signIn,
  type Created,
} from './support/hosted-calls.js';

/** link-lifecycle 2.6, webhooks 2.6. */
apiOfFile();

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

it('A hosted session shows when it was first opened, and until then that it was not', async () => {
  const from = await created({ hosted: { return_url: RETURN } });
  expect(await session(from.session_id)).toMatchObject({ state: 'created', opened_at: null });
  await leave(await open(from));
  const { opened_at: openedAt, created_at: createdAt } = await session(from.session_id);
  expect(openedAt).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect([createdAt, openedAt].sort()).toEqual([createdAt, openedAt]);
  expect((await openCall(from)).status).toBe(401);
  expect((await session(from.session_id)).opened_at).toBe(openedAt);
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
    // A program that only reads links sees the session without its token.
    const reader = await service.token('pocket-ledger', 'sandbox', 'links:read');
    const { body: shown } = await service.api.as(reader).get(`/link-sessions/${sessionId}`);
    expect(shown).toEqual({ ...reading, exchangeable_token: null });
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
