import { randomUUID } from 'node:crypto';
import { errorOf } from '../../support/services/api-client.js';
import {
  changesNothing,
  invalid,
  REDIRECT_URI,
  service,
  startOAuthCalls,
  stateInvalid,
  Visit,
} from './support/oauth-calls.js';

startOAuthCalls();

describe('POST /connect/api/session/oauth/return', () => {
  /** No refusal changes its session. */
  let waiting: Awaited<ReturnType<typeof Visit.returned>>;
  beforeAll(async () => {
    waiting = await Visit.returned();
  });

  it('continues the session, and repeats the view to the same window', async () => {
    const visit = await Visit.returned();
    const first = await visit.bring(visit.address);
    expect(first).toMatchObject({ status: 200, body: { step: { kind: 'success' } } });
    expect((await visit.bring(`${visit.address}&theme=dark#top`)).body).toEqual(first.body);
  });

  it.each<[string, (visit: { address: string }) => string]>([
    ['an invalid address', () => 'hello'],
    ['an address without the id', () => REDIRECT_URI],
    ['an unknown id', () => `${REDIRECT_URI}?oauth_state_id=${randomUUID()}`],
    ['an invalid id', () => `${REDIRECT_URI}?oauth_state_id=1`],
    ['two ids', ({ address }) => `${address}&oauth_state_id=${randomUUID()}`],
  ])('refuses %s', async (_, forge) => {
    expect(errorOf(await changesNothing(() => waiting.bring(forge(waiting))))).toEqual(
      stateInvalid,
    );
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['no address', { request_id: randomUUID() }, ['body.url']],
    ['no request id', { url: REDIRECT_URI }, ['body.request_id']],
  ])('refuses a body with %s', async (_, json, locations) => {
    expect(
      errorOf(await waiting.connect.post('/connect/api/session/oauth/return', { json })),
    ).toEqual({ status: 422, code: invalid, locations });
  });

  it('accepts the address after all of the refusals above', async () => {
    expect((await waiting.bring(waiting.address)).status).toBe(200);
  });

  it('refuses another session, and a window that lost the session', async () => {
    const [visit, stranger] = [await Visit.returned(), await Visit.started()];
    expect(errorOf(await changesNothing(() => stranger.bring(visit.address)))).toEqual(
      stateInvalid,
    );
    await service.steps.sessions.open(visit.session.sessionId);
    expect(errorOf(await changesNothing(() => visit.bring(visit.address)))).toEqual({
      status: 409,
      code: 'connect_error.session_moved',
      locations: [],
    });
  });

  it('may be retried when the session was busy', async () => {
    const visit = await Visit.returned();
    service.steps.next = { kind: 'rejected', reason: 'StepInProgress' };
    expect(await visit.bring(visit.address)).toMatchObject({
      status: 409,
      body: { error_code: 'connect_error.step_in_progress', view: { seq: visit.seq } },
    });
    expect(await visit.bring(visit.address)).toMatchObject({
      status: 200,
      body: { step: { kind: 'success' } },
    });
  });

  it('is refused after the attempt was canceled', async () => {
    const visit = await Visit.returned();
    await service.steps.show(visit.session.sessionId, visit.seq + 1, {
      kind: 'redirect',
      started: false,
    });
    expect(errorOf(await visit.bring(visit.address))).toEqual(stateInvalid);
  });

  it('is refused after success for an unknown address', async () => {
    const visit = await Visit.returned();
    await visit.bring(visit.address);
    expect(errorOf(await visit.bring(`${REDIRECT_URI}?oauth_state_id=${randomUUID()}`))).toEqual({
      status: 410,
      code: 'connect_error.session_closed',
      locations: [],
    });
  });
});
