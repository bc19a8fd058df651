import { randomUUID } from 'node:crypto';
import { soonerThan } from '../../support/assertions/sooner-than.js';
import { answerQuestions } from '../../support/actors/answer-questions.js';
import {
  chooseCredentialsBank,
  credentials,
  goThroughCredentialsBank,
  signIn,
} from '../../support/actors/credentials-journey.js';
import {
  call,
  ConnectVisit,
  expectStatus,
  INSTANT_BANK,
} from '../../support/actors/link-journey.js';
import {
  app,
  gate,
  startServiceBehindGate,
  truth,
} from '../../support/fixtures/service-behind-gate.js';
import { newVisit, storedSession } from './support/visits.js';

const SELECT = { kind: 'select_institution', institution_id: INSTANT_BANK };
const RETRY = { kind: 'error', action: 'retry' };

// Well before the 15 s after which a hanging call may be considered lost.
startServiceBehindGate({ CONNECT_SOFT_REPLY: '8s' });

// connect 13, check 5: rules 2 and 3.
describe('An answer to another step (connect 5, rule 2)', () => {
  it('is refused while an answer is in progress', async () => {
    gate.set('hang');
    const one = await newVisit(app);
    const first = one.submit(SELECT);
    // The second request arrives before the soft reply of the first, in any order.
    const second = one.submit(SELECT);
    const responses = await Promise.all([first, second]);
    const [refused] = responses.filter(({ status }) => status === 409);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(refused?.body).toMatchObject({
      error_code: 'connect_error.step_in_progress',
      view: { session_id: one.view.session_id },
    });
  });
});

describe('A slow bank (connect 5, rule 5)', () => {
  it('shows a wait that can be canceled, and the next attempt succeeds', async () => {
    gate.set('hang');
    const one = await newVisit(app);
    // Before the 60 s that a step may wait for its bank.
    const waiting = await soonerThan(50_000, one.submit(SELECT));
    expect(waiting).toMatchObject({
      status: 200,
      body: { seq: 2, step: { kind: 'wait', stage: 'connecting', can_cancel: true } },
    });
    one.view = waiting.body;
    const canceled = await one.answer({ kind: 'wait', cancel: true });
    expect(canceled).toMatchObject({ seq: 3, step: { kind: 'select_institution' } });
    gate.set('cut');
    gate.set('open');
    expect((await one.select()).step.kind).toBe('success');
  });
});

/**
 * Moves the times at which the bank sent a code or requested an approval into the past, or into the
 * future if negative.
 */
const passAtBank = (seconds: number) =>
  truth.rows(
    `UPDATE sandbox_bank.login
        SET progress = jsonb_set(progress::jsonb, '{askedAt}', to_jsonb(to_char((progress::jsonb ->> 'askedAt')::timestamptz - make_interval(secs => $1), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      WHERE progress::jsonb ->> 'askedAt' IS NOT NULL`,
    [seconds],
  );

// These tests use the real delays of the bank (link-lifecycle 13.3). With shortened delays, a code
// could be requested again before this computer expects it, and an approval could arrive before the
// user cancels.
describe('A one-time code', () => {
  it('can be requested again, but only after a while: until then the call returns an error', async () => {
    const { visit: one } = await chooseCredentialsBank(app);
    const asked = await signIn(one, 'mfa_sms');
    expect(asked).toMatchObject({
      step: {
        kind: 'otp',
        channel: 'sms',
        length: 6,
        digits_only: true,
        resend_after_seconds: 20,
        attempts_left: 3,
      },
    });
    expect(await one.answer({ kind: 'otp', resend: true })).toMatchObject({
      seq: asked.seq + 1,
      step: { kind: 'otp', error: { code: 'resend_too_early' }, attempts_left: 3 },
    });
    await passAtBank(20);
    expect(await one.answer({ kind: 'otp', resend: true })).toMatchObject({
      step: { kind: 'otp', error: null },
    });
    await one.answer({ kind: 'otp', code: '123456' });
    expect(await answerQuestions(one)).toMatchObject({ step: { kind: 'success' } });
  });
});

describe("An approval in the bank's app", () => {
  it('shows a wait that can be canceled for another sign-in', async () => {
    const { visit: waiting } = await chooseCredentialsBank(app);
    waiting.view = await expectStatus(200, waiting.submit(credentials('mfa_push')));
    await passAtBank(-600);
    expect(waiting.view).toMatchObject({
      step: { kind: 'wait', stage: 'waiting_for_approval', can_cancel: true },
    });
    expect(await waiting.submit({ kind: 'otp', code: '123456' })).toMatchObject({
      status: 422,
      body: { error_code: 'connect_error.invalid_input' },
    });
    expect(await waiting.answer({ kind: 'wait', cancel: true })).toMatchObject({
      step: { kind: 'form', error: null, can_go_back: true },
    });
    expect(await goThroughCredentialsBank(waiting, 'mfa_push')).toMatchObject({
      step: { kind: 'success' },
    });
  });
});

describe('A bank that is down', () => {
  it('shows an error step, and a retry after it recovered succeeds', async () => {
    gate.set('cut');
    const one = await newVisit(app);
    const failed = await one.select();
    expect(failed).toMatchObject({
      institution: { institution_id: INSTANT_BANK },
      step: {
        kind: 'error',
        error_id: 'connect_error.institution_down',
        fault: 'institution',
        link_error: 'institution_error',
        actions: ['retry', 'choose_another', 'exit'],
      },
    });
    const link = await truth.linkOfSession(one.view.session_id);
    expect(link).toMatchObject({ state: 'error', error_code: 'institution_error' });
    gate.set('open');
    expect((await one.answer(RETRY)).step.kind).toBe('success');
    expect(await truth.story(link?.link_id ?? '')).toEqual([
      'state connecting',
      'state error/institution_error',
      'state connecting',
      'state awaiting_token_exchange',
    ]);
    expect((await app.exchange((await one.finish()).exchangeable_token)).body).toMatchObject({
      link_id: link?.link_id,
    });
  });

  it('offers no other bank in a session for one bank, which starts again when it is reopened', async () => {
    gate.set('cut');
    const { link_session_token: token } = await app.createSession({ institution_id: INSTANT_BANK });
    const one = await ConnectVisit.open(app.baseUrl, token);
    expect((await one.settle()).step).toMatchObject({ kind: 'error', actions: ['retry', 'exit'] });
    expect(await one.submit({ kind: 'error', action: 'choose_another' })).toMatchObject({
      status: 422,
      body: { error_code: 'connect_error.invalid_input' },
    });
    expect((await one.exit()).status).toBe(200);
    gate.set('open');
    const back = await ConnectVisit.open(app.baseUrl, token);
    expect((await back.settle()).step.kind).toBe('success');
  });

  it('lets the user choose another bank', async () => {
    gate.set('cut');
    const one = await newVisit(app);
    await one.select();
    expect((await one.answer({ kind: 'error', action: 'choose_another' })).step.kind).toBe(
      'select_institution',
    );
  });

  it('cannot be retried forever, because a session has 60 steps', async () => {
    gate.set('cut');
    const one = await newVisit(app);
    await one.select();
    while (one.view.seq < 60) await one.answer(RETRY);
    expect(one.view.step.kind).toBe('error');
    expect(await one.submit(RETRY)).toMatchObject({
      status: 410,
      body: { error_code: 'connect_error.session_closed' },
    });
    expect(await one.call('GET', '/session')).toMatchObject({ status: 410 });
  });
});

describe('A session after success (connect 5, rule 8)', () => {
  it('refuses everything except finish, exit and reads', async () => {
    const one = await newVisit(app);
    await one.select();
    const closed = { status: 410, body: { error_code: 'connect_error.session_closed' } };
    expect(await one.submit(SELECT)).toMatchObject(closed);
    expect(await one.submit(SELECT, { seq: 1 })).toMatchObject(closed);
    expect(await one.exit()).toMatchObject({ status: 200, body: { closed: true } });
    expect((await one.poll()).step.kind).toBe('success');
    const { exchangeable_token: token } = await one.finish();
    expect((await app.exchange(token)).status).toBe(201);
    expect(await one.submit(SELECT)).toMatchObject(closed);
    expect(await one.finishCall()).toMatchObject(closed);
    expect(await one.exit()).toMatchObject({ status: 200 });
  });
});

describe('A malformed call', () => {
  it.each([
    ['step without seq', 'POST', '/session/step', { request_id: randomUUID(), input: SELECT }],
    ['step without request_id', 'POST', '/session/step', { seq: 1, input: SELECT }],
    [
      'step whose request_id is not a UUID',
      'POST',
      '/session/step',
      { seq: 1, request_id: 'one', input: SELECT },
    ],
    ['step without input', 'POST', '/session/step', { seq: 1, request_id: randomUUID() }],
    ['step whose body is a list', 'POST', '/session/step', []],
    ['finish without request_id', 'POST', '/session/finish', {}],
    [
      'exit with an unknown reason',
      'POST',
      '/session/exit',
      { request_id: randomUUID(), reason: 'bored' },
    ],
    ['poll that waits too long', 'GET', '/session?wait=21', undefined],
    ['poll after a seq that is not a number', 'GET', '/session?after_seq=x', undefined],
    ['search with a limit of 51', 'GET', '/institutions?limit=51', undefined],
  ])('%s returns 422 and changes nothing', async (_, method, path, body) => {
    const one = await newVisit(app);
    const { status, body: error } = await one.call(method, path, body);
    expect({ status, errors: error.validation_errors?.length }).toEqual({ status: 422, errors: 1 });
    expect(await storedSession(truth, one.view.session_id)).toMatchObject({
      seq: 1,
      steps_taken: 0,
      state: 'open',
    });
  });

  it('returns 422 when its body is not JSON', async () => {
    const one = await newVisit(app);
    const response = await call(app.baseUrl, 'POST', '/connect/api/session/step', {
      bearer: one.connectToken,
      rawBody: '{"seq":',
    });
    expect(response).toMatchObject({
      status: 422,
      body: { validation_errors: [{ location: ['body'] }] },
    });
  });
});
