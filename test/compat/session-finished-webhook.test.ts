import { createHash, randomUUID } from 'node:crypto';
import { eraseEventTokens } from '../../prisma/announcements/events/event-body.js';
import { SessionTimeRepository } from '../../prisma/work/linking/session-time.repository.js';
import { eventually } from '../support/assertions/eventually.js';
import {
  MINUTE_MS,
  receiver,
  service,
  startVerifiedWebhooks,
  verify,
} from './support/verified-webhooks.js';

startVerifiedWebhooks();

const DAY_MS = 86_400_000;

describe('LINK / SESSION_FINISHED of a hosted session (plaid-compat 8.1)', () => {
  const hosted = (over: object = {}) =>
    service.create({ webhook: receiver.url('/link'), hosted_link: {}, ...over });
  const origin = () => new URL(service.api.connectBaseUrl).origin;
  const next = async (before: number) => {
    const webhook = (
      await receiver.until((all) => all.slice(before).some(({ path }) => path === '/link'))
    )
      .slice(before)
      .find(({ path }) => path === '/link');
    if (webhook === undefined) throw new Error('no webhook arrived');
    return verify(webhook.rawBody, String(webhook.headers['plaid-verification']));
  };
  const logged = async () => {
    const api = service.api.api.as(await service.api.token('pocket-ledger'));
    return (
      (await api.get('/webhooks/events?webhook_event=LINK.SESSION_FINISHED&order=desc&limit=1'))
        .body as {
        events: { event_id: string; body: Record<string, unknown>; body_sha256: string }[];
      }
    ).events[0];
  };

  it('contains the tokens, which are not logged and are erased later', async () => {
    const {
      data: { link_token: token },
    } = await hosted();
    const before = receiver.received.length;
    await service.link(token, origin());
    const body = await next(before);
    const [publicToken] = body['public_tokens'] as string[];
    expect(body).toEqual({
      webhook_type: 'LINK',
      webhook_code: 'SESSION_FINISHED',
      status: 'SUCCESS',
      link_session_id: expect.stringMatching(/^ses_/),
      link_token: token,
      public_tokens: [publicToken],
      environment: 'sandbox',
    });
    const event = await logged();
    expect(event?.body).toEqual({ ...body, link_token: null, public_tokens: null });
    expect(event?.body_sha256).toBe(
      createHash('sha256')
        .update(receiver.received.at(-1)?.rawBody ?? '')
        .digest('hex'),
    );
    const stored = () =>
      service.api.database.prisma.webhookEvent.findUniqueOrThrow({
        where: { eventId: event?.event_id ?? '' },
      });
    await eventually(async () =>
      expect(
        await service.api.database.prisma.webhookDelivery.count({
          where: { event: { eventId: event?.event_id ?? '' }, status: 'delivered' },
        }),
      ).toBe(1),
    );
    expect(Buffer.from((await stored()).sealedBody ?? []).toString('latin1')).not.toContain(
      publicToken,
    );
    await eraseEventTokens(service.api.ctx, new Date(Date.now() - DAY_MS));
    expect((await stored()).sealedBody).not.toBeNull();
    await eraseEventTokens(service.api.ctx, new Date(Date.now() + MINUTE_MS));
    expect((await stored()).sealedBody).toBeNull();
    // The rest can still be replayed, with a new signature.
    const erased = receiver.received.length;
    const native = service.api.api.as(await service.api.token('pocket-ledger'));
    expect((await native.post(`/webhooks/events/${event?.event_id ?? ''}/replay`)).status).toBe(
      200,
    );
    expect(await next(erased)).toEqual({ ...body, link_token: null, public_tokens: null });
    expect(
      (await service.plaid.itemPublicTokenExchange({ public_token: publicToken ?? '' })).status,
    ).toBe(200);
  });

  it('announces that the user left, and a later success', async () => {
    const {
      data: { link_token: token },
    } = await hosted();
    const before = receiver.received.length;
    const opened = await service.api.api.post('/connect/api/session/open', {
      json: {
        link_session_token: token,
        request_id: randomUUID(),
        origin: origin(),
        platform: 'web',
      },
    });
    await service.api.api
      .as((opened.body as { connect_token: string }).connect_token)
      .post('/connect/api/session/exit', {
        json: { request_id: randomUUID(), reason: 'user_closed' },
      });
    expect(await next(before)).toMatchObject({
      status: 'EXITED',
      link_token: token,
      public_tokens: [],
    });
    expect((await logged())?.body).toMatchObject({ status: 'EXITED', link_token: null });
    const left = receiver.received.length;
    const cookie = opened.headers.getSetCookie()[0]?.split(';')[0];
    await service.link(token, origin(), cookie);
    expect(await next(left)).toMatchObject({
      status: 'SUCCESS',
      link_token: token,
      public_tokens: [expect.stringMatching(/^public-sandbox-/)],
    });
  });

  it.each([
    ['whose user closed the window, when it expires', 0],
    ['whose user left before, only once', 1],
  ])('announces EXITED for a session %s', async (_, exits) => {
    const {
      data: { link_token: token },
    } = await hosted();
    const before = receiver.received.length;
    const opened = await service.api.api.post('/connect/api/session/open', {
      json: {
        link_session_token: token,
        request_id: randomUUID(),
        origin: origin(),
        platform: 'web',
      },
    });
    if (exits > 0)
      await service.api.api
        .as((opened.body as { connect_token: string }).connect_token)
        .post('/connect/api/session/exit', {
          json: { request_id: randomUUID(), reason: 'user_closed' },
        });
    const { prisma } = service.api.database;
    const { sessionId } = await prisma.linkSession.findFirstOrThrow({
      orderBy: { createdAt: 'desc' },
    });
    await prisma.linkSession.update({
      where: { sessionId },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect(await new SessionTimeRepository(service.api.ctx).expireIfDue(sessionId)).toMatchObject({
      state: 'ended',
    });
    expect(await next(before)).toMatchObject({
      status: 'EXITED',
      link_session_id: sessionId,
      link_token: token,
      public_tokens: [],
    });
    expect(await prisma.webhookEvent.count({ where: { linkId: sessionId } })).toBe(1);
    const {
      data: { link_sessions: [session] = [] },
    } = await service.plaid.linkTokenGet({ link_token: token });
    expect(session).toMatchObject({
      link_session_id: sessionId,
      finished_at: expect.stringMatching(/Z$/),
      results: null,
      exit: { error: null },
    });
  });

  it('is not sent for a session opened by an SDK', async () => {
    const {
      data: { link_token: token },
    } = await hosted({ hosted_link: undefined });
    const count = () =>
      service.api.database.prisma.webhookEvent.count({
        where: { webhookEvent: 'LINK.SESSION_FINISHED' },
      });
    const before = await count();
    await service.link(token);
    expect(await count()).toBe(before);
  });
});
