import { randomUUID } from 'node:crypto';
import { errorOf } from '../../support/services/api-client.js';
import { OAUTH_BANK } from '../../support/services/row-steps.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';
import {
  create,
  created,
  open,
  openCall,
  read,
  RETURN,
  session,
  signIn,
} from './support/hosted-calls.js';

/** link-lifecycle 2.6, native-api 3.3 and 4.12. */
apiOfFile();

const WEEK = 604_800;

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
