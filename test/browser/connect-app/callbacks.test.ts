import type { StepContent } from '../../../packages/connect-protocol/src/step.js';
import { eventually } from '../../support/assertions/eventually.js';
import { representatives } from '../../support/runner/representatives.js';
import { failure, ScriptedSession } from './support/scripted-session.js';
import { ended, INSTITUTION, typesAfterHello } from './support/reported.js';
import { describeInBrowser } from './support/stage.js';
import { ACCOUNTS, CONSENT, CREDENTIALS, OTP } from './support/views.js';

describeInBrowser('The messages Connect sends to the SDK (connect 13, check 2)', (stage) => {
  it('report every event of a link in order and end with one success', async () => {
    const session = new ScriptedSession({ kind: 'select_institution' });
    const steps: Record<string, StepContent> = {
      select_institution: CREDENTIALS,
      form: OTP,
      otp: CONSENT,
      consent: ACCOUNTS,
      select_accounts: { kind: 'success' },
    };
    session.then((input) => steps[String(input['kind'])] ?? { kind: 'success' });
    const opened = await stage.open(session, { options: { close_on_success: true } });
    const { frame, events } = opened;
    await frame.getByRole('combobox').fill('cred');
    await eventually(async () => expect(await events('search_institution')).toHaveLength(1));
    await frame.getByRole('option', { name: 'Credentials Bank' }).click();
    await frame.getByLabel('User name').fill('canary-user');
    await frame.getByLabel('Password', { exact: true }).fill('canary-password');
    await frame.getByRole('button', { name: 'Continue' }).click();
    await frame.getByRole('textbox', { name: 'Code' }).fill('987654');
    await frame.getByRole('button', { name: 'Continue' }).click();
    await frame.getByRole('button', { name: 'Allow' }).click();
    await frame.getByRole('button', { name: 'Share 2 accounts' }).click();
    expect(await ended(opened, 'success')).toEqual({
      ...session.result(),
      institution: INSTITUTION,
    });
    await eventually(async () =>
      expect(await typesAfterHello(opened)).toEqual([
        'event open',
        'event change_screen',
        'ready',
        'event search_institution',
        'event select_institution',
        'event change_screen',
        'event submit_credentials',
        'event change_screen',
        'event submit_otp',
        'event change_screen',
        'event submit_permissions',
        'event change_screen',
        'event submit_accounts',
        'event success',
        'success',
        'close',
      ]),
    );
    const screens = (await events('change_screen')).map(
      ({ properties }) => properties as Record<string, unknown>,
    );
    expect(screens.map(({ current_screen_name: name }) => name)).toEqual([
      'finder',
      'credentials',
      'code',
      'permissions',
      'accounts',
    ]);
    expect(screens.map(({ previous_screen_name: name }) => name)).toEqual([
      null,
      'finder',
      'credentials',
      'code',
      'permissions',
    ]);
    expect((await events('submit_permissions'))[0]).toMatchObject({
      properties: { granted: ['accounts', 'transactions', 'identity'] },
    });
    expect((await events('submit_accounts'))[0]).toMatchObject({
      properties: { count: 2 },
      meta: {
        link_type: 'link',
        link_session_id: session.view.session_id,
        institution_id: 'sandbox-credentials-bank',
        institution_name: 'Credentials Bank',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+$/),
      },
    });
    expect((await events('search_institution'))[0]).toMatchObject({
      properties: { search_term: 'cred' },
    });
    const sentEvents = JSON.stringify((await opened.heard('event')).map(({ payload }) => payload));
    for (const secret of [
      'canary-user',
      'canary-password',
      '987654',
      'Everyday',
      '1101',
      '2210',
      'token_scripted',
      'ct_scripted',
      'xt_scripted',
    ])
      expect(sentEvents).not.toContain(secret);
  });

  it('report an exit only after confirmation when the user closes after signing in; staying restores the focus', async () => {
    const opened = await stage.open(new ScriptedSession(ACCOUNTS));
    const { frame } = opened;
    const box = frame.getByRole('checkbox', { name: /Rewards Card/ });
    await box.focus();
    await opened.page.keyboard.press('Escape');
    const question = frame.getByRole('alertdialog', { name: 'Stop connecting?' });
    await question.waitFor();
    expect(await question.textContent()).toContain(
      'Nothing has been shared. Next time, you’ll start over.',
    );
    await opened.page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await eventually(async () =>
      expect(await box.evaluate((element) => document.activeElement === element)).toBe(true),
    );
    await frame.getByRole('button', { name: 'Close' }).click();
    await frame.getByRole('button', { name: 'Stop connecting' }).click();
    expect(await ended(opened, 'exit')).toMatchObject({ reason: 'user_closed', error: null });
  });

  it('report an error step once, and again in the exit', async () => {
    const content: StepContent = {
      kind: 'error',
      error_id: 'connect_error.account_locked',
      displayed_message: 'Locked.',
      fault: 'user',
      link_error: 'user_error',
      actions: ['open_institution', 'retry', 'choose_another', 'exit'],
      institution_url: 'https://credentials-bank.example',
    };
    const session = new ScriptedSession(content);
    session.then(() => ({ kind: 'select_institution' }));
    const opened = await stage.open(session);
    const { frame } = opened;
    await frame.getByRole('heading', { name: 'Credentials Bank locked your sign-in' }).waitFor();
    const popup = opened.page.context().waitForEvent('page');
    await frame.getByRole('button', { name: /Go to Credentials Bank/ }).click();
    await (await popup).close();
    // The deed may be done now, so the new try takes the place of the website.
    await frame.locator('.primary', { hasText: 'Try again' }).waitFor();
    await frame.locator('.text-button', { hasText: 'Go to Credentials Bank' }).waitFor();
    await frame.getByRole('button', { name: 'Close' }).click();
    const exit = await ended(opened, 'exit');
    expect(exit).toMatchObject({
      reason: 'error',
      error: { error_id: 'connect_error.account_locked', fault: 'user', link_error: 'user_error' },
    });
    expect((await opened.heard('error')).map(({ payload }) => payload)).toEqual([exit['error']]);
    expect(await opened.events('open_institution_website')).toHaveLength(1);
  });

  const reasons: readonly (readonly [string | undefined, string])[] = [
    ['user_closed', 'user_closed'],
    ['programmatic', 'programmatic'],
    ['moved', 'programmatic'],
    [undefined, 'programmatic'],
  ];

  it.each(representatives(reasons, ([requested, reported]) => requested === reported))(
    'report a requested exit with the reason %s as %s',
    async (requested, reported) => {
      const opened = await stage.open(new ScriptedSession(CREDENTIALS));
      await opened.frame.getByRole('heading', { level: 1 }).waitFor();
      await opened.say('request_exit', { force: false, reason: requested });
      expect(await ended(opened, 'exit')).toMatchObject({ reason: reported });
    },
  );

  const refusals = [
    ['session_expired', 410, 'expired', 'You ran out of time'],
    ['session_closed', 410, 'error', 'This has already ended'],
    ['invalid_session_token', 401, 'error', 'This page can’t be opened'],
    ['origin_not_allowed', 403, 'error', 'This website isn’t allowed to connect banks'],
  ] as const;

  // A session that ends while it is open: submission.test.ts.
  it.each(representatives(refusals, ([name]) => name === 'invalid_session_token'))(
    'report %s at opening as an error, and again in the exit, and explain it to the user',
    async (name, status, reason, title) => {
      const session = new ScriptedSession(CREDENTIALS);
      session.on('POST /session/open', () => failure(status, `connect_error.${name}`));
      const opened = await stage.open(session);
      await opened.frame.getByRole('heading', { name: title }).waitFor();
      await opened.frame.getByRole('button', { name: 'Back to the app' }).click();
      const exit = await ended(opened, 'exit');
      expect(exit).toMatchObject({
        reason,
        error: {
          error_id: `connect_error.${name}`,
          request_id: 'req_scripted',
          displayed_message: expect.any(String),
        },
        session_id: null,
      });
      expect((await opened.heard('error')).map(({ payload }) => payload)).toEqual([exit['error']]);
      expect(await opened.heard('ready')).toEqual([]);
    },
  );
});
