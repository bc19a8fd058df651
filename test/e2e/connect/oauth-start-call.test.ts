import { randomUUID } from 'node:crypto';
import { errorOf, type ApiResponse } from '../../support/services/api-client.js';
import {
  changesNothing,
  invalid,
  REDIRECT_URI,
  service,
  startOAuthCalls,
  Visit,
  type Started,
} from './support/oauth-calls.js';

startOAuthCalls();

describe('POST /connect/api/session/oauth/start', () => {
  it('returns the authorization address and starts the link', async () => {
    const visit = await Visit.offered();
    const links = () => service.database.prisma.link.count();
    const before = await links();
    const { status, body } = await visit.start();
    expect(status).toBe(200);
    expect(body).toEqual({
      authorize_url: expect.stringMatching(/^https:\/\/bank\.example\/authorize\?state=[\w-]{43}$/),
      state_hash: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}$/),
      view: expect.objectContaining({
        seq: visit.seq + 1,
        redirect_uri: REDIRECT_URI,
        step: expect.objectContaining({ kind: 'redirect', started: true }),
      }),
    });
    expect(await links()).toBe(before + 1);
  });

  it('repeats the response of one request id, and starts a new attempt for another', async () => {
    const visit = await Visit.offered();
    const requestId = randomUUID();
    const [first, second] = [
      await visit.start({}, requestId),
      await visit.start({}, requestId.toUpperCase()),
    ];
    expect(second.body).toEqual(first.body);
    visit.know(first);
    const third = await visit.start();
    expect(third.status).toBe(200);
    const redirectAttemptOf = ({ body }: ApiResponse) => {
      const { authorize_url, state_hash } = body as Started;
      return [authorize_url, state_hash];
    };
    expect(redirectAttemptOf(third)).not.toEqual(redirectAttemptOf(first));
    expect(redirectAttemptOf(await visit.start({}, requestId))).toEqual(redirectAttemptOf(first));
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['a missing window', { window: undefined }, ['body.window']],
    ['an unknown window', { window: 'tab' }, ['body.window']],
    ['a missing seq', { seq: undefined }, ['body.seq']],
    ['an invalid request id', { request_id: 'x' }, ['body.request_id']],
  ])('refuses %s', async (_, fields, locations) => {
    const visit = await Visit.offered();
    expect(errorOf(await changesNothing(() => visit.start(fields)))).toEqual({
      status: 422,
      code: invalid,
      locations,
    });
  });

  it('refuses a stale seq and a step of another kind', async () => {
    const visit = await Visit.offered();
    expect(await changesNothing(() => visit.start({ seq: 1 }))).toMatchObject({
      status: 409,
      body: { error_code: 'connect_error.stale_step', view: { seq: visit.seq } },
    });
    await service.steps.show(visit.session.sessionId, visit.seq + 1, {
      kind: 'select_institution',
    });
    expect(errorOf(await changesNothing(() => visit.start({ seq: visit.seq + 1 })))).toEqual({
      status: 422,
      code: invalid,
      locations: ['body.seq'],
    });
  });

  it('returns the new step when the bank offers no redirect', async () => {
    const visit = await Visit.offered();
    const requestId = randomUUID();
    service.steps.next = { kind: 'done' };
    await service.steps.show(visit.session.sessionId, visit.seq, {
      kind: 'redirect',
      started: false,
    });
    const refused = await visit.start({}, requestId);
    expect(refused).toMatchObject({
      status: 409,
      body: {
        error_code: 'connect_error.stale_step',
        view: { step: { kind: 'redirect', started: false } },
      },
    });
    service.steps.next = { kind: 'waiting' };
    expect(await visit.start()).toMatchObject({
      status: 409,
      body: { error_code: 'connect_error.step_in_progress', view: { step: { kind: 'wait' } } },
    });
    service.steps.next = { kind: 'rejected', reason: 'StepInProgress' };
    expect(await visit.start()).toMatchObject({
      status: 409,
      body: { error_code: 'connect_error.step_in_progress' },
    });
  });

  it('is refused after success and without a token', async () => {
    const visit = await Visit.returned();
    await visit.bring(visit.address);
    expect(errorOf(await visit.start())).toEqual({
      status: 410,
      code: 'connect_error.session_closed',
      locations: [],
    });
    expect(
      errorOf(await service.api.post('/connect/api/session/oauth/start', { json: {} })),
    ).toEqual({ status: 401, code: 'connect_error.invalid_session_token', locations: [] });
  });
});
