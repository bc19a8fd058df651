import { randomUUID } from 'node:crypto';
import { ConnectVisit, expectStatus } from '../../support/actors/link-journey.js';
import {
  answerQuestions,
  arriveAtApp,
  submitReturn,
  submitReturnCall,
  callBack,
  chooseOAuthBank,
  decideAtBank,
  REDIRECT_URI,
  startRedirect,
  type OAuthVisit,
} from '../../support/actors/oauth-journey.js';
import { app, serviceOfFile, truth } from '../../support/fixtures/sandbox-service.js';
import { backAtApp } from './support/bank-returns.js';

const stateInvalid = { status: 422, body: { error_code: 'connect_error.oauth_state_invalid' } };
const moved = { status: 409, body: { error_code: 'connect_error.session_moved' } };

serviceOfFile();

const linkOf = ({ visit }: OAuthVisit) => truth.linkOfSession(visit.view.session_id);

async function exchange(visit: ConnectVisit): Promise<string> {
  const { exchangeable_token: token } = await visit.finish();
  return (await expectStatus(201, app.exchange(token))).link_id;
}

describe('An OAuth return that is forged, replayed or late', () => {
  it('shows a plain page at the callback and changes nothing', async () => {
    const opened = await chooseOAuthBank(app);
    const callbackAddress = await decideAtBank((await startRedirect(opened.visit)).authorize_url);
    const forged = (change: (query: URLSearchParams) => void): string => {
      const url = new URL(callbackAddress);
      change(url.searchParams);
      return url.href;
    };
    for (const address of [
      forged((query) => query.set('state', randomUUID())),
      forged((query) => query.delete('state')),
      forged((query) => query.set('iss', 'https://evil.example')),
      forged((query) => query.delete('iss')),
      forged((query) => query.append('code', 'x')),
    ]) {
      const { status, headers } = await callBack(address);
      expect({
        status,
        type: headers.get('content-type'),
        location: headers.get('location'),
      }).toEqual({ status: 400, type: 'text/html; charset=utf-8', location: null });
    }
    expect(await opened.visit.poll()).toMatchObject({
      seq: 3,
      step: { kind: 'redirect', started: true },
    });
    const address = await arriveAtApp(callbackAddress);
    expect((await callBack(callbackAddress)).status).toBe(400);
    expect(await submitReturn(opened.visit, address)).toMatchObject({ step: { kind: 'success' } });
  });

  it('ends in an error and links nothing when its code is wrong', async () => {
    const opened = await chooseOAuthBank(app);
    const callbackAddress = new URL(
      await decideAtBank((await startRedirect(opened.visit)).authorize_url),
    );
    callbackAddress.searchParams.set('code', 'forged');
    expect(
      (await submitReturn(opened.visit, await arriveAtApp(callbackAddress.href))).step,
    ).toMatchObject({
      kind: 'error',
    });
    expect(await linkOf(opened)).toMatchObject({ state: 'error' });
  });

  it('repeats the view to the window that sent it, and is refused to any other', async () => {
    const { visit, address, session } = await backAtApp(app);
    const first = await submitReturn(visit, address);
    expect((await submitReturnCall(visit, address)).body).toEqual(first);
    const stranger = await chooseOAuthBank(app);
    await startRedirect(stranger.visit);
    expect(await submitReturnCall(stranger.visit, address)).toMatchObject(stateInvalid);
    expect(await ConnectVisit.resumeCall(app.baseUrl, address)).toMatchObject(stateInvalid);
    expect(
      await ConnectVisit.resumeCall(app.baseUrl, address, {
        link_session_token: session.link_session_token,
      }),
    ).toMatchObject(stateInvalid);
    expect((await visit.poll()).step.kind).toBe('success');
    expect((await visit.finish()).exchangeable_token).toBeTruthy();
  });

  it('is refused before the bank has redirected the user', async () => {
    const { visit } = await chooseOAuthBank(app);
    await startRedirect(visit);
    for (const address of [REDIRECT_URI, `${REDIRECT_URI}?oauth_state_id=${randomUUID()}`]) {
      expect(await submitReturnCall(visit, address)).toMatchObject(stateInvalid);
      expect(await ConnectVisit.resumeCall(app.baseUrl, address)).toMatchObject(stateInvalid);
    }
    expect(await visit.poll()).toMatchObject({ step: { kind: 'redirect', started: true } });
  });
});

describe('Resuming a session in another window', () => {
  const open = (session: { link_session_token: string }) =>
    ConnectVisit.openCall(app.baseUrl, session.link_session_token);

  it('without the token takes over the session permanently and links there for the user that the app names', async () => {
    const user = { id: 'a user on two devices' };
    const { visit, session, address } = await backAtApp(app, { customer_user: user });
    const elsewhere = await ConnectVisit.resume(app.baseUrl, address);
    expect(await visit.call('GET', '/session')).toMatchObject(moved);
    expect(await visit.finishCall()).toMatchObject(moved);
    expect(await open(session)).toMatchObject({
      status: 401,
      body: { error_code: 'connect_error.invalid_session_token' },
    });
    expect(await ConnectVisit.resumeCall(app.baseUrl, address)).toMatchObject(stateInvalid);
    expect((await answerQuestions(elsewhere)).step.kind).toBe('success');
    const { exchangeable_token: token } = await elsewhere.finish();
    expect(await app.exchange(token)).toMatchObject({ status: 403 });
    const expected = { expected_customer_user_id: user.id };
    const { link } = await expectStatus(201, app.exchange(token, expected));
    expect(link.state).toBe('connected');
  });

  it('with the token keeps the token usable, also after a reload', async () => {
    const { visit, session, address } = await backAtApp(app);
    const elsewhere = await ConnectVisit.resume(app.baseUrl, address, {
      link_session_token: session.link_session_token,
    });
    expect(await visit.call('GET', '/session')).toMatchObject(moved);
    expect((await answerQuestions(elsewhere)).step.kind).toBe('success');
    expect(
      await ConnectVisit.resumeCall(app.baseUrl, address, {
        link_session_token: session.link_session_token,
      }),
    ).toMatchObject(stateInvalid);
    const reloaded = await ConnectVisit.open(app.baseUrl, session.link_session_token);
    expect(reloaded.view.step.kind).toBe('success');
    expect(await elsewhere.call('GET', '/session')).toMatchObject(moved);
    expect(await exchange(reloaded)).toMatch(/^mk_/);
  });

  it('with the token of another session changes nothing, so a forwarded bank link is worthless', async () => {
    const [attacker, victim] = [await backAtApp(app), await chooseOAuthBank(app)];
    expect(
      await ConnectVisit.resumeCall(app.baseUrl, attacker.address, {
        link_session_token: victim.session.link_session_token,
      }),
    ).toMatchObject(stateInvalid);
    expect(await victim.visit.poll()).toMatchObject({ step: { kind: 'redirect', started: false } });
    await ConnectVisit.resume(app.baseUrl, attacker.address);
    expect(await attacker.visit.finishCall()).toMatchObject(moved);
    expect(await submitReturnCall(attacker.visit, attacker.address)).toMatchObject(moved);
    expect((await open(attacker.session)).status).toBe(401);
  });

  it('twice with one request id returns the same response', async () => {
    const { address } = await backAtApp(app);
    const requestId = randomUUID();
    const [first, second] = await Promise.all(
      [1, 2].map(() => ConnectVisit.resumeCall(app.baseUrl, address, { request_id: requestId })),
    );
    expect({ firstStatus: first?.status, secondStatus: second?.status }).toEqual({
      firstStatus: 200,
      secondStatus: 200,
    });
    expect(first?.body.connect_token).toBe(second?.body.connect_token);
  });
});
