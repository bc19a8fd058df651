import type { StepContent } from '../../../packages/connect-protocol/src/step.js';
import { eventually } from '../../support/assertions/eventually.js';
import { failure, ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser, type Opened } from './support/stage.js';
import { ACCOUNTS, CONSENT, CREDENTIALS, CREDENTIALS_BANK, OTP } from './support/views.js';
import { representatives } from '../../support/runner/representatives.js';

const INSTITUTION = {
  institution_id: 'sandbox-credentials-bank',
  name: 'Credentials Bank',
  country: 'US',
  domain: 'credentials-bank.example',
  color: '#0a6b4f',
  color_dark: '#41c79a',
  logo_url: null,
};

describeInBrowser('The messages Connect sends to the SDK (connect 13, check 2)', (stage) => {
  const typesAfterHello = async ({ heard }: Opened): Promise<string[]> =>
    (await heard())
      .map(({ type, payload }) => (type === 'event' ? `event ${String(payload['name'])}` : type))
      .filter((type) => type !== 'hello');
  const ended = async (opened: Opened, type: 'exit' | 'success') =>
    eventually(async () => {
      const [message] = await opened.heard(type);
      if (message === undefined) throw new Error(`No ${type} yet.`);
      return message.payload;
    });

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

  it('report a repaired link as a success without a token', async () => {
    const opened = await stage.open(new ScriptedSession({ kind: 'success' }, { mode: 'relink' }), {
      options: { close_on_success: true },
    });
    const success = await ended(opened, 'success');
    expect(success).toMatchObject({ mode: 'relink' });
    expect(success).not.toHaveProperty('exchangeable_token');
  });

  it('send nothing between success and close while the last screen is shown', async () => {
    const opened = await stage.open(new ScriptedSession({ kind: 'success' }), {
      options: { close_on_success: false },
    });
    const { frame } = opened;
    await frame.getByRole('heading', { name: 'Connected' }).waitFor();
    await ended(opened, 'success');
    await eventually(async () =>
      expect(await typesAfterHello(opened)).toEqual([
        'event open',
        'event change_screen',
        'event success',
        'success',
      ]),
    );
    await frame.getByRole('button', { name: 'Done' }).click();
    await eventually(async () =>
      expect((await typesAfterHello(opened)).slice(-2)).toEqual(['success', 'close']),
    );
    expect(await opened.heard('exit')).toEqual([]);
  });

  it('report an exit at once when the user closes before signing in', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    const opened = await stage.open(session);
    await opened.frame.getByRole('button', { name: 'Close' }).click();
    expect(await ended(opened, 'exit')).toEqual({
      reason: 'user_closed',
      error: null,
      session_id: session.view.session_id,
      institution: INSTITUTION,
      search_term: null,
    });
    await eventually(async () =>
      expect((await typesAfterHello(opened)).slice(-3)).toEqual(['event exit', 'exit', 'close']),
    );
    expect(session.callsTo('POST /session/exit')[0]?.body).toMatchObject({ reason: 'user_closed' });
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
      'Your bank accepted your sign-in, but nothing has been shared yet.',
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

  it('report an exit that the page requests after confirmation, or at once when the page forces it', async () => {
    const asked = await stage.open(new ScriptedSession(ACCOUNTS));
    await asked.frame.getByRole('heading', { level: 1 }).waitFor();
    await asked.say('request_exit', { force: false });
    await asked.frame.getByRole('alertdialog').waitFor();
    expect(await asked.heard('exit')).toEqual([]);
    await asked.say('request_exit', { force: true });
    expect(await ended(asked, 'exit')).toMatchObject({ reason: 'programmatic' });
  });

  const reasons: readonly (readonly [string | undefined, string])[] = [
    ['user_closed', 'user_closed'],
    ['programmatic', 'programmatic'],
    ['moved', 'programmatic'],
    [undefined, 'programmatic'],
  ];
  const known = representatives(reasons, ([requested]) => requested?.startsWith('user') ?? true);
  it.each(known)(
    'report a requested exit with the reason %s as %s',
    async (requested, reported) => {
      const opened = await stage.open(new ScriptedSession(CREDENTIALS));
      await opened.frame.getByRole('heading', { level: 1 }).waitFor();
      await opened.say('request_exit', { force: false, reason: requested });
      expect(await ended(opened, 'exit')).toMatchObject({ reason: reported });
    },
  );

  it('report the search term in the exit of a user whose bank is missing', async () => {
    const session = new ScriptedSession(
      { kind: 'select_institution' },
      { features: { connect_manually: true } },
    );
    const opened = await stage.open(session);
    await opened.frame.getByRole('combobox').fill('Bank of Elsewhere');
    await opened.frame.getByText('No bank found for').first().waitFor();
    await opened.frame.getByRole('button', { name: 'I can’t find my bank' }).click();
    expect(await ended(opened, 'exit')).toMatchObject({
      reason: 'connect_manually',
      search_term: 'Bank of Elsewhere',
      institution: null,
    });
    expect((await opened.events('connect_manually'))[0]).toMatchObject({
      properties: { search_term: 'Bank of Elsewhere' },
    });
  });

  it('report that the user dismissed or acknowledged the warning about an unavailable bank', async () => {
    const session = new ScriptedSession({ kind: 'select_institution' });
    session.then(() => CREDENTIALS);
    const opened = await stage.open(session);
    const { frame, events } = opened;
    await frame.getByRole('option', { name: /Quarry Street/ }).click();
    await frame.getByRole('button', { name: 'Choose another bank' }).click();
    await frame.getByRole('option', { name: /Quarry Street/ }).click();
    await frame.getByRole('button', { name: 'Try anyway' }).click();
    await frame.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
    await eventually(async () => expect(await events('dismiss_institution_alert')).toHaveLength(1));
    await eventually(async () =>
      expect(await events('acknowledge_institution_alert')).toHaveLength(1),
    );
    await eventually(async () =>
      expect((await events('select_institution'))[0]).toMatchObject({
        properties: {
          institution_id: 'quarry-street-bank',
          institution_name: 'Quarry Street Bank',
        },
      }),
    );
  });

  const refusals = [
    ['session_expired', 410, 'expired'],
    ['session_closed', 410, 'error'],
    ['invalid_session_token', 401, 'error'],
    ['origin_not_allowed', 403, 'error'],
  ] as const;
  it.each(
    representatives(refusals, ([name]) => ['session_expired', 'session_closed'].includes(name)),
  )('report %s at opening as an error, and again in the exit', async (name, status, reason) => {
    const session = new ScriptedSession(CREDENTIALS);
    session.on('POST /session/open', () => failure(status, `connect_error.${name}`));
    const opened = await stage.open(session);
    await opened.frame.getByRole('button', { name: 'Leave' }).click();
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
  });

  it('report an error step once, and again in the exit', async () => {
    const content: StepContent = {
      kind: 'error',
      error_id: 'connect_error.account_locked',
      displayed_message: 'Locked.',
      fault: 'user',
      link_error: 'user_error',
      actions: ['open_institution', 'choose_another', 'exit'],
      institution_url: 'https://credentials-bank.example',
    };
    const session = new ScriptedSession(content);
    session.then(() => ({ kind: 'select_institution' }));
    const opened = await stage.open(session);
    const { frame } = opened;
    await frame.getByRole('heading', { name: 'Your sign-in is locked' }).waitFor();
    const popup = opened.page.context().waitForEvent('page');
    await frame.getByRole('button', { name: /Go to Credentials Bank/ }).click();
    await (await popup).close();
    await frame.getByRole('button', { name: 'Leave' }).click();
    const exit = await ended(opened, 'exit');
    expect(exit).toMatchObject({
      reason: 'error',
      error: { error_id: 'connect_error.account_locked', fault: 'user', link_error: 'user_error' },
    });
    expect((await opened.heard('error')).map(({ payload }) => payload)).toEqual([exit['error']]);
    expect(await opened.events('open_institution_website')).toHaveLength(1);
  });

  it('report the exit of a session that moved to another window, and keep its notice until the user closes it', async () => {
    const session = new ScriptedSession({ kind: 'wait', stage: 'connecting', can_cancel: false });
    session.on('GET /session', () => failure(409, 'connect_error.session_moved'));
    const opened = await stage.open(session);
    expect(await ended(opened, 'exit')).toMatchObject({
      reason: 'moved',
      error: { error_id: 'connect_error.session_moved' },
    });
    await opened.frame.getByRole('heading', { name: 'Continued in another window' }).waitFor();
    expect(await opened.heard('close')).toEqual([]);
    expect(session.callsTo('POST /session/exit')).toEqual([]);
    await opened.frame.locator('.primary').click();
    await eventually(async () => expect(await opened.heard('close')).toHaveLength(1));
    expect(await opened.heard('exit')).toHaveLength(1);
  });

  it('report a bank that is no longer available as an error, and keep the list of banks', async () => {
    const session = new ScriptedSession({ kind: 'select_institution' });
    session.on('POST /session/step', () => failure(404, 'connect_error.institution_not_available'));
    const opened = await stage.open(session);
    await opened.frame.getByRole('option', { name: CREDENTIALS_BANK.name }).click();
    await opened.frame.locator('.refusal').waitFor();
    await eventually(async () =>
      expect((await opened.heard('error'))[0]?.payload).toMatchObject({
        error_id: 'connect_error.institution_not_available',
      }),
    );
    expect(await opened.frame.getByRole('option').count()).toBeGreaterThan(3);
  });
});
