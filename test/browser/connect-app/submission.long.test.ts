import type { StepContent } from '../../../packages/connect-protocol/src/step.js';
import { eventually } from '../../support/assertions/eventually.js';
import { failure, ok, ScriptedSession } from './support/scripted-session.js';
import { fillIn, signIn } from './support/sign-in.js';
import { describeInBrowser } from './support/stage.js';
import { ACCOUNTS, CREDENTIALS, OTP, WAIT } from './support/views.js';

const STEP = 'POST /session/step';

describeInBrowser('Submitting a step', (stage) => {
  it('retries with the same request id when the service asks to wait', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    let times = 0;
    session.on(STEP, () =>
      ++times < 3
        ? { ...failure(503, 'connect_error.unavailable'), headers: { 'retry-after': '0' } }
        : ok(session.show(OTP)),
    );
    const { frame } = await stage.open(session);
    await signIn(frame);
    await frame.getByRole('heading', { name: 'Enter the code' }).waitFor();
    expect(new Set(session.callsTo(STEP).map(({ body }) => body['request_id'])).size).toBe(1);
  });

  it('follows an answer that is in progress elsewhere until it is complete', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    session.on(STEP, () => failure(409, 'connect_error.step_in_progress', { view: session.view }));
    const { frame } = await stage.open(session);
    await signIn(frame);
    await eventually(() => expect(session.callsTo('GET /session').length).toBeGreaterThan(0));
    session.show(ACCOUNTS);
    await frame.getByRole('heading', { name: 'Choose accounts to share' }).waitFor();
  });

  it('shows nothing, then a progress line, then words while a slow bank is responding', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    session.then(() => WAIT);
    // The fake clock belongs to its window, so this test needs a window of its own.
    const { frame, page } = await stage.open(session, { context: {} });
    await fillIn(frame);
    await page.clock.install();
    // From here on, time passes only when the test advances it.
    await page.clock.pauseAt(Date.now() + 1_000);
    await frame.getByRole('button', { name: 'Continue' }).click();
    await frame.getByRole('heading', { name: 'Connecting to Credentials Bank' }).waitFor();
    expect(await frame.locator('.progress-line.is-shown').count()).toBe(0);
    await page.clock.runFor(500);
    await frame.locator('.progress-line.is-shown').waitFor({ state: 'attached' });
    expect(await frame.locator('.waiting').textContent()).toBe('');
    await page.clock.runFor(2_000);
    await frame.getByText('Waiting for Credentials Bank to respond.').first().waitFor();
    await page.clock.runFor(8_000);
    await frame.getByText('This can take up to a minute.').first().waitFor();
    session.show(ACCOUNTS);
    await frame.getByRole('heading', { name: 'Choose accounts to share' }).waitFor();
  });

  it('shows that the page is out of date when this version does not know the step', async () => {
    const session = new ScriptedSession({ kind: 'retina_scan' } as unknown as StepContent);
    const { frame, heard } = await stage.open(session);
    await frame.getByRole('heading', { name: 'This page is out of date' }).waitFor();
    await frame.getByRole('button', { name: 'Back to Pocket Ledger' }).click();
    const [exit] = await eventually(async () => {
      const found = await heard('exit');
      expect(found).toHaveLength(1);
      return found;
    });
    expect(exit?.payload).toMatchObject({
      reason: 'error',
      error: { error_id: 'connect_error.unsupported_step' },
    });
    expect(session.callsTo('POST /session/exit')[0]?.body).toMatchObject({ reason: 'error' });
  });

  it('shows no switch for a product that cannot be declined, whether or not it is required', async () => {
    const row = {
      reason: null,
      granted: true,
      required: false,
      locked: true,
      already_granted: false,
    };
    const session = new ScriptedSession({
      kind: 'consent',
      products: [
        { ...row, product: 'accounts', already_granted: true },
        { ...row, product: 'identity' },
        { ...row, product: 'transactions', locked: false },
      ],
    });
    session.on(STEP, () => ok(session.show(ACCOUNTS)));
    const { frame } = await stage.open(session);
    await frame.getByRole('button', { name: 'Allow' }).waitFor();
    expect(await frame.getByRole('switch').count()).toBe(1);
    expect(await frame.locator('.row-lock').allInnerTexts()).toEqual([
      'Already allowed',
      'Required',
    ]);
    await frame.getByRole('switch').click();
    await frame.getByRole('button', { name: 'Allow' }).click();
    await frame.getByRole('heading', { name: 'Choose accounts to share' }).waitFor();
    expect(session.callsTo(STEP)[0]?.body).toMatchObject({
      input: { kind: 'consent', granted: ['accounts', 'identity'] },
    });
  });

  it('continues to the result when the session succeeded before the answer arrived', async () => {
    const session = new ScriptedSession(ACCOUNTS);
    session.on('POST /session/step', () => {
      session.show({ kind: 'success' });
      return failure(410, 'connect_error.session_closed');
    });
    const { frame, heard } = await stage.open(session);
    await frame.getByRole('button', { name: 'Share 2 accounts' }).click();
    await frame.getByRole('heading', { name: 'Connected' }).waitFor();
    await eventually(async () =>
      expect({
        success: (await heard('success')).length,
        error: (await heard('error')).length,
      }).toEqual({ success: 1, error: 0 }),
    );
  });
});
