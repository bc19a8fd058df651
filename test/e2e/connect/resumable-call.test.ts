import { randomUUID } from 'node:crypto';
import { errorOf, type ApiResponse } from '../../support/services/api-client.js';
import {
  changesNothing,
  invalid,
  REDIRECT_URI,
  resume,
  service,
  startOAuthCalls,
  Visit,
} from './support/oauth-calls.js';

startOAuthCalls({ RATE_LIMIT_CONNECT: '1/s:30' });

const ask = (url: string, token?: string): Promise<ApiResponse> =>
  service.api.post('/connect/api/session/resumable', {
    json: { url, ...(token === undefined ? {} : { link_session_token: token }) },
  });

/** The answer, which is the same whether the address is unknown or cannot be resumed. */
async function answer(url: string, token?: string): Promise<unknown> {
  const { status, body } = await ask(url, token);
  return { status, body };
}

const YES = { status: 200, body: { resumable: true } };
const NO = { status: 200, body: { resumable: false } };

describe('POST /connect/api/session/resumable', () => {
  it('confirms a fresh return, with the token of its session and without one, and changes nothing', async () => {
    const visit = await Visit.returned();
    const { linkSessionToken } = visit.session;
    await changesNothing(async () => {
      expect(await answer(visit.address)).toEqual(YES);
      expect(await answer(visit.address, linkSessionToken)).toEqual(YES);
    });
    expect((await resume(visit.address, { link_session_token: linkSessionToken })).status).toBe(
      200,
    );
  });

  it('denies a return that a window has presented, with every token', async () => {
    const visit = await Visit.returned();
    expect((await visit.bring(visit.address)).status).toBe(200);
    expect(await answer(visit.address)).toEqual(NO);
    expect(await answer(visit.address, visit.session.linkSessionToken)).toEqual(NO);
  });

  it('denies the token of another session, and one that no session has', async () => {
    const [visit, stranger] = [await Visit.returned(), await Visit.started()];
    for (const token of [stranger.session.linkSessionToken, 'sandbox_ls_unknown', 'a b'])
      expect(await answer(visit.address, token)).toEqual(NO);
  });

  it('denies addresses without a state, with several, and with one that the service never made', async () => {
    const unknown = `${REDIRECT_URI}?oauth_state_id=${randomUUID()}`;
    for (const address of [REDIRECT_URI, unknown, `${unknown}&oauth_state_id=${randomUUID()}`, 'x'])
      expect(await answer(address)).toEqual(NO);
  });

  it('denies a state before the bank has returned its user, and after its 15 minutes', async () => {
    const visit = await Visit.returned();
    const { prisma } = service.database;
    const { sessionId } = visit.session;
    await prisma.oAuthState.updateMany({ where: { sessionId }, data: { expiresAt: new Date() } });
    expect(await answer(visit.address)).toEqual(NO);
    const expiresAt = new Date(Date.now() + 60_000);
    await prisma.oAuthState.updateMany({ where: { sessionId }, data: { expiresAt, usedAt: null } });
    expect(await answer(visit.address)).toEqual(NO);
  });

  it.each([
    ['whose time is over', { expiresAt: new Date() }],
    ['that has ended', { state: 'ended', endReason: 'exited' }],
    ['that has succeeded', { state: 'succeeded' }],
  ])('denies a return to a session %s', async (_, data) => {
    const visit = await Visit.returned();
    const { sessionId } = visit.session;
    await service.database.prisma.linkSession.update({ where: { sessionId }, data: data as never });
    expect(await answer(visit.address, visit.session.linkSessionToken)).toEqual(NO);
  });

  it('denies a hosted session, which continues only in the browser that opened it', async () => {
    const visit = await Visit.returned();
    await service.database.prisma.linkSession.update({
      where: { sessionId: visit.session.sessionId },
      data: { options: { hosted: { completionRedirectUri: null, reportsOutcome: false } } },
    });
    expect(await answer(visit.address)).toEqual(NO);
    expect(await answer(visit.address, visit.session.linkSessionToken)).toEqual(NO);
  });

  it('limits the questions about one session, and takes no calls from it', async () => {
    const visit = await Visit.returned();
    const asked = await Promise.all(Array.from({ length: 90 }, () => ask(visit.address)));
    const refused = asked.filter(({ status }) => status === 429).map(errorOf);
    expect(refused[0]).toMatchObject({ code: 'connect_error.rate_limited' });
    expect((await visit.connect.get('/connect/api/session')).status).toBe(200);
  });

  it('refuses a body without an address', async () => {
    expect(
      errorOf(await service.api.post('/connect/api/session/resumable', { json: {} })),
    ).toMatchObject({ status: 422, code: invalid, locations: ['body.url'] });
  });
});
