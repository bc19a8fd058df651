import { randomUUID } from 'node:crypto';
import {
  chooseCredentialsBank,
  CREDENTIALS_BANK,
  goThroughCredentialsBank,
  signIn,
} from '../../support/actors/credentials-journey.js';
import { ConnectVisit } from '../../support/actors/link-journey.js';
import { app, truth, serviceOfFile } from '../../support/fixtures/sandbox-service.js';

serviceOfFile();

describe('A user of Credentials Bank who mistypes or leaves', () => {
  it('has three attempts, and three more after a retry', async () => {
    const { visit } = await chooseCredentialsBank(app);
    for (const left of [2, 1]) {
      expect(await signIn(visit, 'user_good', 'wrong')).toMatchObject({
        step: {
          kind: 'form',
          error: { code: 'invalid_credentials' },
          attempts_left: left,
          can_go_back: true,
        },
      });
    }
    expect(await signIn(visit, 'no_one')).toMatchObject({
      step: {
        kind: 'error',
        error_id: 'connect_error.invalid_credentials',
        actions: ['retry', 'choose_another', 'exit'],
      },
    });
    expect(await visit.answer({ kind: 'error', action: 'retry' })).toMatchObject({
      step: { kind: 'form', error: null, attempts_left: 3 },
    });
    expect(await goThroughCredentialsBank(visit, 'user_good')).toMatchObject({
      step: { kind: 'success' },
    });
  });

  it.each<[userName: string, wrong: unknown]>([
    ['mfa_sms', { kind: 'otp', code: '000000' }],
    ['mfa_questions', { kind: 'form', values: { colour: 'red', pet: 'rex' } }],
    ['mfa_image', { kind: 'image', answer: 'ABCD' }],
  ])('as %s has three attempts for the second factor', async (userName, wrong) => {
    const { visit } = await chooseCredentialsBank(app);
    const {
      step: { kind },
    } = await signIn(visit, userName);
    for (const left of [2, 1])
      expect(await visit.answer(wrong)).toMatchObject({
        step: {
          kind,
          error: { code: expect.stringMatching(/^invalid_(code|answer)$/) },
          attempts_left: left,
        },
      });
    expect(await visit.answer(wrong)).toMatchObject({
      step: { kind: 'error', error_id: 'connect_error.mfa_failed' },
    });
    expect(await truth.linkOfSession(visit.view.session_id)).toMatchObject({
      state: 'error',
      error_code: 'user_error',
    });
  });
});

describe('Leaving a session', () => {
  it.each<[string, (visit: ConnectVisit) => Promise<unknown>, string]>([
    ['before the password', () => Promise.resolve(), 'user_error'],
    ['at the code', (visit) => signIn(visit, 'mfa_sms'), 'user_error'],
    ['at the consent', (visit) => signIn(visit, 'user_good'), 'incomplete'],
    [
      'at the accounts',
      async (visit) => {
        await signIn(visit, 'user_good');
        await visit.answer({ kind: 'consent', granted: ['transactions'] });
      },
      'incomplete',
    ],
  ])('%s ends the link with the expected error', async (_, goOn, linkError) => {
    const { visit, session } = await chooseCredentialsBank(app);
    await goOn(visit);
    expect((await visit.exit()).status).toBe(200);
    const link = await truth.linkOfSession(visit.view.session_id);
    expect(link).toMatchObject({ state: 'error', error_code: linkError });
    expect(await truth.story(link?.link_id ?? '')).toEqual([
      'state connecting',
      `state error/${linkError}`,
    ]);
    const again = await ConnectVisit.open(app.baseUrl, session.link_session_token);
    expect(again.view.step.kind).toBe('select_institution');
    await again.select(CREDENTIALS_BANK);
    expect(await goThroughCredentialsBank(again, 'user_good')).toMatchObject({
      step: { kind: 'success' },
    });
    // The same session and institution lead to the same link.
    expect(await truth.linkOfSession(visit.view.session_id)).toMatchObject({
      link_id: link?.link_id,
    });
  });

  it('for another bank abandons the first link', async () => {
    const { visit } = await chooseCredentialsBank(app);
    const first = await truth.linkOfSession(visit.view.session_id);
    expect(await visit.answer({ kind: 'back' })).toMatchObject({
      step: { kind: 'select_institution' },
    });
    expect((await visit.select()).step.kind).toBe('success');
    expect(await truth.story(first?.link_id ?? '')).toEqual([
      'state connecting',
      'state error/user_error',
    ]);
  });
});

describe('A submitted password', () => {
  it('counts once when it is sent three times with one request id', async () => {
    const { visit } = await chooseCredentialsBank(app);
    const { seq } = visit.view;
    const requestId = randomUUID();
    const wrong = { kind: 'form', values: { username: 'user_good', password: 'wrong' } };
    const responses = await Promise.all(
      [1, 2, 3].map(() => visit.submit(wrong, { requestId, seq })),
    );
    for (const response of responses)
      expect(response).toMatchObject({
        status: 200,
        body: { seq: seq + 1, step: { attempts_left: 2 } },
      });
    expect(await visit.submit(wrong, { requestId, seq })).toMatchObject({
      status: 200,
      body: { seq: seq + 1, step: { attempts_left: 2 } },
    });
  });
});
