import { randomUUID } from 'node:crypto';
import { answerQuestions } from '../../support/actors/answer-questions.js';
import {
  chooseCredentialsBank,
  credentials,
  CREDENTIALS_BANK,
  signIn,
} from '../../support/actors/credentials-journey.js';
import { eventually } from '../../support/assertions/eventually.js';
import { ConnectVisit, expectStatus } from '../../support/actors/link-journey.js';
import {
  app,
  gate,
  service,
  startServiceBehindGate,
  truth,
} from '../../support/fixtures/service-behind-gate.js';

import { representatives } from '../../support/runner/representatives.js';

const SOFT_REPLY_MS = 2_000;

startServiceBehindGate({
  SANDBOX_BANK_DELAY_FACTOR: '0.25',
  CONNECT_SOFT_REPLY: `${SOFT_REPLY_MS}ms`,
  SWEEP_INTERVAL: '1s',
});

/** The number of answers sent to the bank. */
const answersSent = () => gate.requests('/answers');

/** The progress of the bank with the newest login. */
const progressAtBank = async () =>
  (
    await truth.rows(
      'SELECT progress FROM sandbox_bank.login WHERE expires_at = (SELECT max(expires_at) FROM sandbox_bank.login)',
    )
  )[0];

// connect 5, rule 12.
describe('Killing the worker while the bank is responding', () => {
  it.each<[string, string, (visit: ConnectVisit) => Promise<unknown>, unknown]>(
    representatives(
      [
        ['a password', 'form', () => Promise.resolve(), credentials('user_good')],
        ['a code', 'otp', (visit) => signIn(visit, 'mfa_sms'), { kind: 'otp', code: '123456' }],
      ],
      ([answer]) => answer === 'a password',
    ),
  )(
    'to %s shows the same step again, uses no attempt and sends nothing twice',
    async (_, kind, goThere, input) => {
      const { visit } = await chooseCredentialsBank(app);
      await goThere(visit);
      const asked = visit.view;
      const linkId = (await truth.linkOfSession(asked.session_id))?.link_id ?? '';
      const before = answersSent();
      const progress = await progressAtBank();
      const requestId = randomUUID();
      gate.set('mute');
      const sent = visit.submit(input, { requestId });
      await eventually(async () => {
        expect(await progressAtBank()).not.toEqual(progress);
      });
      await service.untilRestarted('worker', service.kill('worker'));
      gate.set('cut');
      gate.set('open');
      await sent;
      const again = await eventually(async () => {
        const view = await visit.poll(2);
        expect(view.step).toMatchObject({
          kind,
          error: { code: 'interrupted' },
          attempts_left: asked.step.attempts_left,
        });
        return view;
      });
      expect(again.seq).toBeGreaterThan(asked.seq);
      expect(again.step.id).not.toBe(asked.step.id);
      // The network may have lost the response, too: the same request sent again is still the same
      // action.
      await visit.submit(input, { requestId, seq: asked.seq });
      expect(answersSent()).toBe(before + 1);
      expect(await truth.story(linkId)).toEqual(['state connecting']);

      await visit.answer(input);
      expect((await answerQuestions(visit)).step.kind).toBe('success');
    },
  );
});

// connect 5, rule 5.
describe('A slow bank', () => {
  it('holds no request longer than the soft reply limit', async () => {
    const { visit } = await chooseCredentialsBank(app);
    const asked = Date.now();
    const waiting = await expectStatus(200, visit.submit(credentials('slow_60')));
    expect(waiting.step).toMatchObject({ kind: 'wait', stage: 'connecting', can_cancel: true });
    visit.view = waiting;
    expect((await visit.settle()).step.kind).toBe('consent');
    expect(Date.now() - asked).toBeGreaterThanOrEqual(15_000);
  });
});

// connect 5, rule 7.
describe('A code that is never entered', () => {
  it('ends in a timeout at the moment that the step names', async () => {
    const { visit } = await chooseCredentialsBank(app);
    const asked = await signIn(visit, 'mfa_sms');
    expect(Date.parse(`${asked.step.expires_at}Z`) - Date.now()).toBeGreaterThan(500_000);
    // Pretend that the bank sent its code nearly ten minutes ago.
    await truth.rows(`UPDATE sandbox_bank.login SET progress = jsonb_set(progress::jsonb, '{askedAt}', to_jsonb(to_char((progress::jsonb ->> 'askedAt')::timestamptz - interval '575 seconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
       WHERE step = 2 AND expires_at = (SELECT max(expires_at) FROM sandbox_bank.login)`);
    const wrong = await visit.answer({ kind: 'otp', code: '000000' });
    expect(wrong.step).toMatchObject({ kind: 'otp', error: { code: 'invalid_code' } });
    const expiresAt = Date.parse(`${wrong.step.expires_at}Z`);
    expect(expiresAt - Date.now()).toBeLessThan(25_000);
    while (visit.view.seq === wrong.seq) await visit.poll(15);
    const over = visit.view;
    expect(over).toMatchObject({
      seq: wrong.seq + 1,
      step: {
        kind: 'error',
        error_id: 'connect_error.timeout',
        actions: ['retry', 'choose_another', 'exit'],
      },
    });
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt);
    expect(await visit.answer({ kind: 'error', action: 'retry' })).toMatchObject({
      step: { kind: 'form', error: null, attempts_left: 3 },
    });
  });
});

// connect 5, rule 9.
describe('The credentials of a session', () => {
  it.each<[string, (visit: ConnectVisit) => Promise<unknown>]>([
    ['exit', (visit) => visit.exit()],
    [
      'the end of its time',
      (visit) =>
        truth.rows(
          "UPDATE link_sessions SET expires_at = now() - interval '5 minutes' WHERE session_id = $1",
          [visit.view.session_id],
        ),
    ],
  ])('are erased at %s', async (_, end) => {
    const { visit } = await chooseCredentialsBank(app);
    await signIn(visit, 'mfa_sms');
    const kept = async () =>
      (
        await truth.rows('SELECT kind FROM session_secrets WHERE session_id = $1', [
          visit.view.session_id,
        ])
      ).length;
    expect(await kept()).toBeGreaterThan(0);
    await end(visit);
    await eventually(async () => {
      expect(await kept()).toBe(0);
    });
  });

  it('are not sent to the bank when the form or choice does not allow it', async () => {
    const { visit } = await chooseCredentialsBank(app);
    const refused = (input: unknown, field: (string | number)[]) =>
      expect(visit.submit(input)).resolves.toMatchObject({
        status: 422,
        body: {
          error_code: 'connect_error.invalid_input',
          validation_errors: [{ location: ['body', 'input', ...field] }],
        },
      });
    const before = answersSent();
    await refused({ kind: 'form', values: { username: 'user_good' } }, ['values', 'password']);
    await refused({ kind: 'otp', code: '123456' }, ['kind']);
    await refused({ kind: 'select_institution', institution_id: CREDENTIALS_BANK }, ['kind']);
    expect(answersSent()).toBe(before);
    await signIn(visit, 'mfa_choice');
    const { seq } = visit.view;
    await refused({ kind: 'choice', option_ids: ['pigeon'] }, ['option_ids', 0]);
    await refused({ kind: 'choice', option_ids: [] }, ['option_ids']);
    await refused({ kind: 'choice', option_ids: ['sms', 'email'] }, ['option_ids']);
    expect(answersSent()).toBe(before + 1);
    expect(await visit.poll()).toMatchObject({ seq, step: { kind: 'choice' } });
  });
});
