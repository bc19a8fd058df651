import type { Step, StepContent } from '../../../packages/connect-protocol/src/step.js';
import { eventually } from '../../support/assertions/eventually.js';
import { failure, ok, ScriptedSession } from './support/scripted-session.js';
import { fillIn, signIn, untilFocused } from './support/sign-in.js';
import { describeInBrowser } from './support/stage.js';
import { ACCOUNTS, CREDENTIALS, inMinutes, OTP } from './support/views.js';

const STEP = 'POST /session/step';

describeInBrowser('Submitting a step', (stage) => {
  it('sends one request on a double click, and keeps the button in place', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    const release = session.hold(STEP);
    const { frame } = await stage.open(session);
    await fillIn(frame, 'user_good', 'pass_good');
    const button = frame.getByRole('button', { name: 'Continue' });
    const before = await button.boundingBox();
    await button.dblclick();
    await button.click({ force: true });
    await frame.getByLabel('Password', { exact: true }).press('Enter');
    await eventually(() => expect(session.callsTo(STEP)).toHaveLength(1));
    await eventually(async () =>
      expect(await frame.locator('.progress-line.is-shown').count()).toBe(1),
    );
    expect(await button.boundingBox()).toEqual(before);
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    release(ok(session.show(OTP)));
    await frame.getByRole('heading', { name: 'Enter the code' }).waitFor();
    expect(session.callsTo(STEP)).toHaveLength(1);
    expect(session.callsTo(STEP)[0]?.body).toMatchObject({
      seq: 1,
      input: { kind: 'form', values: { username: 'user_good', password: 'pass_good' } },
    });
  });

  it('shows a lost network, and sends the same request again once it is back', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    session.then(() => OTP);
    const { page, frame } = await stage.open(session);
    await fillIn(frame, 'user_good', 'pass_good');
    const tried: string[] = [];
    let reconnect: () => void = () => undefined;
    const reconnected = new Promise<void>((resolve) => (reconnect = resolve));
    await page.route('**/connect/api/session/step', async (route) => {
      tried.push((route.request().postDataJSON() as { request_id: string }).request_id);
      if (tried.length < 3) return route.abort('internetdisconnected');
      await reconnected;
      await route.continue();
    });
    await frame.getByRole('button', { name: 'Continue' }).click();
    await frame.locator('.band-offline').waitFor();
    await eventually(async () =>
      expect(await frame.getByRole('alert').textContent()).toBe(
        'You’re offline. We’ll keep trying.',
      ),
    );
    reconnect();
    await frame.getByRole('heading', { name: 'Enter the code' }).waitFor();
    expect(await frame.locator('.band-offline').count()).toBe(0);
    expect(tried).toHaveLength(3);
    expect(new Set(tried)).toEqual(new Set([session.callsTo(STEP)[0]?.body['request_id']]));
  });

  it('shows a problem with a retry when the service stays unavailable, and sends no secret again', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    session.on(STEP, () => ({
      ...failure(503, 'connect_error.unavailable'),
      headers: { 'retry-after': '0' },
    }));
    const { frame, heard } = await stage.open(session);
    await signIn(frame);
    await frame.getByRole('heading', { name: 'We can’t continue right now' }).waitFor();
    await eventually(async () =>
      expect((await heard('error'))[0]?.payload).toMatchObject({
        error_id: 'connect_error.unavailable',
        fault: 'service',
      }),
    );
    const sent = session.callsTo(STEP).length;
    await frame.getByRole('button', { name: 'Try again' }).click();
    await frame.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
    expect(session.callsTo(STEP)).toHaveLength(sent);
    expect(await frame.getByLabel('Password', { exact: true }).inputValue()).toBe('');
  });

  it('replaces a stale step with the current one', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    session.on(STEP, () =>
      failure(409, 'connect_error.stale_step', { view: session.show(ACCOUNTS) }),
    );
    const { frame } = await stage.open(session);
    await signIn(frame);
    await frame.getByRole('heading', { name: 'Choose accounts to share' }).waitFor();
  });

  it('points out a missing value before it sends anything', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    const { frame } = await stage.open(session);
    await frame.getByLabel('User name').fill('user_good');
    await frame.getByRole('button', { name: 'Continue' }).click();
    const password = frame.getByLabel('Password', { exact: true });
    await untilFocused(password);
    const description = await password.getAttribute('aria-describedby');
    expect(await frame.locator(`[id="${description}"]`).textContent()).toBe(
      'This field is required.',
    );
    expect(session.callsTo(STEP)).toEqual([]);
  });

  it('keeps the step and the entered values when a value is refused', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    session.on(STEP, () => failure(422, 'connect_error.invalid_input', { validation_errors: [] }));
    const { frame, heard } = await stage.open(session);
    await signIn(frame, 'some_user', 'p');
    await frame.locator('#refusal').waitFor();
    await eventually(async () =>
      expect(await frame.getByRole('alert').textContent()).toBe(
        'That didn’t work. Check what you entered.',
      ),
    );
    expect(await frame.getByLabel('User name').inputValue()).toBe('some_user');
    expect(await heard('error')).toEqual([]);
  });

  it('keeps the user name, clears the password and explains after a wrong password', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    const error: Partial<Step> = {
      error: { code: 'invalid_credentials', text: 'Wrong.' },
      attempts_left: 2,
    };
    session.on(STEP, () => ok(session.show(CREDENTIALS, error)));
    const { frame, heard, events } = await stage.open(session);
    await signIn(frame, 'user_good', 'wrong');
    await frame
      .getByText('Your bank didn’t accept that sign-in. 2 attempts left.')
      .first()
      .waitFor();
    const password = frame.getByLabel('Password', { exact: true });
    await untilFocused(password);
    expect(await frame.getByLabel('User name').inputValue()).toBe('user_good');
    expect(await password.inputValue()).toBe('');
    expect(await password.getAttribute('aria-invalid')).toBe('true');
    await eventually(async () =>
      expect((await heard('error'))[0]?.payload).toMatchObject({
        error_id: 'connect_error.invalid_credentials',
        fault: 'user',
        link_error: 'user_error',
      }),
    );
    await password.fill('wrong again');
    await frame.getByRole('button', { name: 'Continue' }).click();
    await eventually(async () =>
      expect((await events('submit_credentials')).map(({ properties }) => properties)).toEqual([
        { attempt: 1 },
        { attempt: 2 },
      ]),
    );
  });

  it.each([
    ['other_route', /usual connection/i],
    ['interrupted', /interrupted/i],
  ])(
    'shows %s as a neutral notice that refuses nothing: not in the color of errors, politely announced, and no error of the user for the app',
    async (code, text) => {
      const error = { code, text: 'Said by the service.' };
      const session = new ScriptedSession(CREDENTIALS, { base: { error, attempts_left: 2 } });
      const { frame, heard } = await stage.open(session);
      const notice = frame.locator('.step-notice');
      await notice.waitFor();
      expect(await notice.textContent()).toMatch(text);
      await eventually(async () =>
        expect(await frame.getByRole('status').textContent()).toMatch(text),
      );
      const colors = await notice.evaluate((element) => {
        const probe = element.appendChild(document.createElement('i'));
        const of = (color: string): string => {
          probe.style.color = color;
          return getComputedStyle(probe).color;
        };
        return {
          shown: getComputedStyle(element).color,
          muted: of('var(--connect-colors-text_muted)'),
          error: of('var(--connect-colors-error)'),
        };
      });
      expect(colors.shown).toBe(colors.muted);
      expect(colors.shown).not.toBe(colors.error);
      expect(await frame.locator('.error-text span').count()).toBe(0);
      expect(await frame.getByRole('alert').textContent()).toBe('');
      expect(await frame.locator('[aria-invalid=true]').count()).toBe(0);
      expect(await heard('error')).toEqual([]);
    },
  );

  it('accepts a pasted code with spaces, and offers a new code once the delay has passed', async () => {
    const session = new ScriptedSession({ ...OTP, resend_after_seconds: 1 } as StepContent);
    session.on(STEP, () => ok(session.show(OTP)));
    const { page, frame } = await stage.open(session);
    const field = frame.getByRole('textbox', { name: 'Code' });
    await field.focus();
    await page.keyboard.insertText('123 456');
    expect(await field.inputValue()).toBe('123456');
    expect(await field.getAttribute('autocomplete')).toBe('one-time-code');
    await frame.getByRole('button', { name: 'Send a new code' }).click();
    await eventually(async () =>
      expect(await frame.getByRole('status').textContent()).toBe('A new code is on its way.'),
    );
    expect(session.callsTo(STEP)[0]?.body['input']).toEqual({ kind: 'otp', resend: true });
  });

  it('extends the session when the user asks for more time', async () => {
    const session = new ScriptedSession(CREDENTIALS, { expires_at: inMinutes(1.8) });
    session.on('POST /session/extend', () => ok({ ...session.view, expires_at: inMinutes(30) }));
    const { frame } = await stage.open(session);
    await eventually(async () =>
      expect(await frame.getByRole('alert').textContent()).toBe(
        'This page closes in 2 minutes unless you continue.',
      ),
    );
    await frame.getByRole('button', { name: 'Keep it open' }).click();
    await eventually(async () =>
      expect(await frame.getByRole('status').textContent()).toBe('You have more time.'),
    );
    expect(await frame.locator('.band-warning').count()).toBe(0);
    expect(session.callsTo('POST /session/extend')).toHaveLength(1);
  });

  it('extends the session on typing, and hides the offer when the limit is fixed', async () => {
    const session = new ScriptedSession(CREDENTIALS, { expires_at: inMinutes(1.8) });
    session.on('POST /session/extend', () => ok(session.view));
    const { frame } = await stage.open(session);
    await frame.getByRole('button', { name: 'Keep it open' }).waitFor();
    await frame.getByLabel('User name').press('u');
    await frame.getByRole('button', { name: 'Keep it open' }).waitFor({ state: 'detached' });
    await frame.getByLabel('User name').press('s');
    expect(await frame.getByLabel('User name').inputValue()).toBe('us');
    expect(await frame.locator('.band-warning').count()).toBe(1);
    expect(session.callsTo('POST /session/extend')).toHaveLength(1);
  });

  it('notices an expired limit without a response from the service', async () => {
    const session = new ScriptedSession(OTP, { base: { expires_at: inMinutes(0.03) } });
    session.on('GET /session', () =>
      ok(session.view.seq === 1 ? session.show(CREDENTIALS) : session.view),
    );
    const { frame } = await stage.open(session);
    await frame.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
    const over = new ScriptedSession(CREDENTIALS, { expires_at: inMinutes(0.03) });
    over.on('GET /session', () => failure(410, 'connect_error.session_expired'));
    const { frame: last, heard } = await stage.open(over);
    await last.getByRole('heading', { name: 'You ran out of time' }).waitFor();
    await last.getByRole('button', { name: 'Back to Pocket Ledger' }).click();
    await eventually(async () =>
      expect((await heard('exit'))[0]?.payload).toMatchObject({
        reason: 'expired',
        error: { error_id: 'connect_error.session_expired' },
      }),
    );
  });

  it('shows that the session has ended when it was closed', async () => {
    const session = new ScriptedSession(ACCOUNTS);
    const over = () => failure(410, 'connect_error.session_closed');
    session.on('POST /session/step', over);
    const { frame, heard } = await stage.open(session);
    session.on('GET /session', over);
    await frame.getByRole('button', { name: 'Share 2 accounts' }).click();
    await frame.getByRole('heading', { name: 'This has already ended' }).waitFor();
    await eventually(async () =>
      expect((await heard('error')).map(({ payload }) => payload['error_id'])).toEqual([
        'connect_error.session_closed',
      ]),
    );
  });
});
