import { randomUUID } from 'node:crypto';
import { errorOf } from '../../support/services/api-client.js';
import { BANK, openSession } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';
import { eventually } from '../../support/assertions/eventually.js';

const BURST = 30;
/** So low that hardly any allowance is refilled between two calls of this test. */
const PER_SECOND = 1;

apiOfFile({ RATE_LIMIT_CONNECT: `${PER_SECOND}/s:${BURST}` });

// connect 4: limits per session.
describe('The rate limit of session calls', () => {
  it('allows the configured burst and rate, and returns 429 with Retry-After to further calls without any effect', async () => {
    const busy = await openSession(service, token);
    const quiet = await openSession(service, token);
    const connect = service.api.as(busy.connectToken);
    const began = Date.now();
    const responses = await Promise.all(
      Array.from({ length: 3 * BURST }, () => connect.get('/connect/api/session')),
    );
    const seconds = (Date.now() - began) / 1_000;
    const taken = responses.filter(({ status }) => status === 200);
    const refused = responses.filter(({ status }) => status === 429);
    expect(taken.length + refused.length).toBe(responses.length);
    // Opening the session was the first call.
    expect(taken.length).toBeGreaterThanOrEqual(BURST - 1);
    expect(taken.length).toBeLessThanOrEqual(BURST + Math.ceil(seconds * PER_SECOND));
    for (const response of refused) {
      expect(errorOf(response)).toEqual({
        status: 429,
        code: 'connect_error.rate_limited',
        locations: [],
      });
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    // A step counts like the other calls, and is refused. Sometimes an allowance has been refilled
    // just before it.
    await eventually(async () => {
      await Promise.all(
        Array.from({ length: BURST }, () => connect.get('/connect/api/institutions')),
      );
      const requestId = randomUUID();
      const step = await connect.post('/connect/api/session/step', {
        json: {
          seq: 1,
          request_id: requestId,
          input: { kind: 'select_institution', institution_id: BANK },
        },
      });
      expect(errorOf(step)).toMatchObject({ status: 429 });
      expect(service.steps.received.map((received) => received.requestId)).not.toContain(requestId);
    });
    // Another session is not affected, and this one continues after a while.
    expect((await service.api.as(quiet.connectToken).get('/connect/api/session')).status).toBe(200);
    await eventually(
      async () => {
        expect((await connect.get('/connect/api/session')).status).toBe(200);
      },
      { every: 300 },
    );
  });
});

// native-api 8: each opening leaves a row until the session is removed.
describe('The number of times a session is opened', () => {
  it('is limited to 200: a further opening is refused with 429 and leaves no row', async () => {
    const { body } = await service.api
      .as(token)
      .post('/link-session', { json: { customer_user: { id: 'user-1' } } });
    const { link_session_token: linkSessionToken } = body as { link_session_token: string };
    const open = () =>
      service.api.post('/connect/api/session/open', {
        json: { link_session_token: linkSessionToken, request_id: randomUUID() },
      });
    const { prisma } = service.database;
    const session = await prisma.linkSession.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
    const { sessionId } = session;
    await prisma.connectToken.createMany({
      data: Array.from({ length: 199 }, () => ({
        tokenHash: new Uint8Array(Buffer.from(randomUUID())),
        sessionId,
      })),
    });
    expect((await open()).status).toBe(200);
    const refused = await open();
    expect(errorOf(refused)).toMatchObject({ status: 429, code: 'connect_error.rate_limited' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    expect(await prisma.connectToken.count({ where: { sessionId } })).toBe(200);
  });
});
