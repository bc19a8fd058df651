import { randomUUID } from 'node:crypto';
import { errorOf } from '../../support/services/api-client.js';
import {
  callback,
  changesNothing,
  invalid,
  REDIRECT_URI,
  resume,
  service,
  startOAuthCalls,
  stateInvalid,
  Visit,
} from './support/oauth-calls.js';

startOAuthCalls();

describe('POST /connect/api/session/resume', () => {
  let visit: Awaited<ReturnType<typeof Visit.returned>>;
  const open = () =>
    service.api.post('/connect/api/session/open', {
      json: {
        link_session_token: visit.session.linkSessionToken,
        request_id: randomUUID(),
        origin: 'https://app.example',
      },
    });
  const poll = (connectToken: string) => service.api.as(connectToken).get('/connect/api/session');

  beforeEach(async () => {
    visit = await Visit.returned();
  });

  it('without the token takes over the session permanently', async () => {
    const resumed = await resume(visit.address);
    expect(resumed).toMatchObject({
      status: 200,
      body: {
        session_id: visit.session.sessionId,
        step: { kind: 'success' },
        connect_token: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
    const { connect_token: connectToken } = resumed.body as { connect_token: string };
    expect((await poll(connectToken)).status).toBe(200);
    expect(errorOf(await poll(visit.session.connectToken))).toMatchObject({
      status: 409,
      code: 'connect_error.session_moved',
    });
    expect(errorOf(await open())).toMatchObject({
      status: 401,
      code: 'connect_error.invalid_session_token',
    });
    expect(errorOf(await resume(visit.address))).toEqual(stateInvalid);
    expect(
      await service.database.prisma.linkSession.findUnique({
        where: { sessionId: visit.session.sessionId },
      }),
    ).toMatchObject({ resumedWithoutToken: true });
    expect(await visit.bring(visit.address, service.api.as(connectToken))).toMatchObject({
      status: 200,
      body: { step: { kind: 'success' } },
    });
  });

  it('with the token leaves it usable, also after a reload', async () => {
    expect(
      (await resume(visit.address, { link_session_token: visit.session.linkSessionToken })).status,
    ).toBe(200);
    expect(errorOf(await poll(visit.session.connectToken))).toMatchObject({
      status: 409,
      code: 'connect_error.session_moved',
    });
    expect(
      errorOf(await resume(visit.address, { link_session_token: visit.session.linkSessionToken })),
    ).toEqual(stateInvalid);
    expect((await open()).status).toBe(200);
  });

  it('returns the same response to the same request', async () => {
    const requestId = randomUUID();
    const first = await resume(visit.address, { request_id: requestId });
    expect(await resume(visit.address, { request_id: requestId })).toMatchObject({
      status: 200,
      body: first.body,
    });
  });

  it('moves the session to the new window even while it is busy', async () => {
    service.steps.next = { kind: 'rejected', reason: 'StepInProgress' };
    expect(await resume(visit.address)).toMatchObject({
      status: 200,
      body: { step: { kind: 'redirect', started: true }, connect_token: expect.any(String) },
    });
  });

  it('refuses the token of another session, a page that is not on the list, and an expired session', async () => {
    const stranger = await Visit.started();
    expect(
      errorOf(
        await changesNothing(() =>
          resume(visit.address, { link_session_token: stranger.session.linkSessionToken }),
        ),
      ),
    ).toEqual(stateInvalid);
    const app = { where: { appId: 'pocket-ledger' } };
    await service.database.prisma.application.update({
      ...app,
      data: { pageOrigins: ['https://other.example'] },
    });
    expect(errorOf(await changesNothing(() => resume(visit.address)))).toMatchObject({
      status: 403,
      code: 'connect_error.origin_not_allowed',
    });
    await service.database.prisma.application.update({ ...app, data: { pageOrigins: [] } });
    await service.database.prisma.linkSession.update({
      where: { sessionId: visit.session.sessionId },
      data: { expiresAt: new Date() },
    });
    expect(errorOf(await changesNothing(() => resume(visit.address)))).toMatchObject({
      status: 410,
      code: 'connect_error.session_expired',
    });
  });
});

describe('POST /connect/api/session/resume with a mistake', () => {
  let visit: Awaited<ReturnType<typeof Visit.returned>>;
  beforeAll(async () => {
    visit = await Visit.returned();
  });

  it.each<
    [
      string,
      (address: string) => [string, Record<string, unknown>],
      { status: number; code: string; locations: string[] },
    ]
  >([
    ['an address without the id', () => [REDIRECT_URI, {}], stateInvalid],
    ['an unknown id', () => [`${REDIRECT_URI}?oauth_state_id=${randomUUID()}`, {}], stateInvalid],
    [
      'a malformed token',
      (address) => [address, { link_session_token: 'a b' }],
      { status: 401, code: 'connect_error.invalid_session_token', locations: [] },
    ],
    [
      'an unknown token',
      (address) => [address, { link_session_token: 'sandbox_ls_unknown' }],
      { status: 401, code: 'connect_error.invalid_session_token', locations: [] },
    ],
    [
      'a body without platform',
      (address) => [address, { platform: 'android' }],
      { status: 422, code: invalid, locations: ['body.platform'] },
    ],
    [
      'a body without request id',
      (address) => [address, { request_id: undefined }],
      { status: 422, code: invalid, locations: ['body.request_id'] },
    ],
  ])('refuses %s', async (_, forge, refusal) => {
    const [address, fields] = forge(visit.address);
    expect(errorOf(await changesNothing(() => resume(address, fields)))).toEqual(refusal);
  });

  it('leaves the session to a call without one', async () => {
    expect((await resume(visit.address)).status).toBe(200);
  });
});

it('The service logs no codes, states, redirect addresses or tokens', async () => {
  const visit = await Visit.returned();
  const { body } = await resume(visit.address);
  await callback('state=canary-state-in-the-query&code=canary-code-of-the-bank');
  const log = service.log();
  expect(log).toContain('/connect/oauth/callback');
  for (const secret of [
    'canary',
    visit.state,
    visit.address.split('=')[1] ?? 'x',
    visit.session.linkSessionToken,
    (body as { connect_token: string }).connect_token,
  ])
    expect(log).not.toContain(secret);
});
