import type { Page } from 'playwright-core';
import { arrivalTexts } from '../../../apps/connect/src/texts/arrival.js';
import type { StepContent } from '../../../packages/connect-protocol/src/step.js';
import { pressToOpen } from '../../support/actors/hosted-page.js';
import { eventually } from '../../support/assertions/eventually.js';
import { representatives } from '../../support/runner/representatives.js';
import { violations } from './support/check-screens.js';
import { arriveAtHostedPage, visitHostedPage } from './support/hosts.js';
import { failure, ok, ScriptedSession, type Answer } from './support/scripted-session.js';
import { describeInBrowser, newContext } from './support/stage.js';
import { ACCOUNTS, CONSENT, CREDENTIALS, OTP, REDIRECT, WAIT } from './support/views.js';

// cspell:ignore networkidle
const TOKEN = 'hosted_token';
const STATE_ID = '0b8f4c7e-5a0d-4f0e-9d53-6f4f9d1c2a77';

/** A screen of each kind of step, by a sentence on it. */
const STEPS: [string, StepContent, string][] = [
  ['the list of banks', { kind: 'select_institution' }, 'Choose your bank'],
  ['a sign-in', CREDENTIALS, 'Sign in to your bank'],
  ['a code', OTP, 'Enter the code'],
  [
    'a choice',
    {
      kind: 'choice',
      purpose: 'otp_device',
      max: 1,
      options: [{ id: 'sms', label: '••• ••42', icon: 'sms' }],
    },
    'Where should the code be sent?',
  ],
  ['a redirect', REDIRECT, 'You’ll sign in at Credentials Bank'],
  [
    'a redirect that has started',
    { kind: 'redirect', started: true },
    'Finish in your bank’s window',
  ],
  ['a wait', WAIT, 'Connecting to Credentials Bank'],
  ['the permissions', CONSENT, 'What Pocket Ledger will see'],
  ['the accounts', ACCOUNTS, 'Choose accounts to share'],
  ['a result that was not shown', { kind: 'success' }, 'Connected'],
];

describeInBrowser('A reload of the hosted page', (stage) => {
  const sees = (page: Page, title: string): Promise<void> =>
    page.getByRole('heading', { level: 1, name: title }).waitFor();
  /** Everything that the tab keeps, and its address. */
  const kept = (page: Page): Promise<string> =>
    page.evaluate(() =>
      JSON.stringify([location.href, { ...sessionStorage }, { ...localStorage }]),
    );
  const ended = (session: ScriptedSession, outcome: string, uri: string | null): Answer =>
    ok({
      view: null,
      end: {
        session_id: session.view.session_id,
        outcome,
        app: session.view.app,
        completion_redirect_uri: uri,
      },
    });

  it.each(
    representatives(STEPS, ([name]) => ['a code', 'a redirect that has started'].includes(name)),
  )(
    'returns to %s without another press, by the id of the session and no token',
    async (_, step, title) => {
      const session = new ScriptedSession(CREDENTIALS);
      const page = await visitHostedPage(stage, session, `#token=${TOKEN}`);
      await sees(page, 'Sign in to your bank');
      session.show(step);
      await page.reload();
      await sees(page, title);
      expect(session.callsTo('POST /session/open')).toHaveLength(1);
      const [reopening, ...more] = session.callsTo('POST /session/reopen');
      expect(more).toEqual([]);
      expect(reopening?.body).toMatchObject({
        session_id: session.view.session_id,
        origin: stage.connect.origin,
        platform: 'web',
      });
      expect(reopening?.authorization).toBeUndefined();
      expect(JSON.stringify(reopening?.body)).not.toContain(TOKEN);
      expect(await kept(page)).not.toContain(TOKEN);
      await page.context().close();
    },
  );

  it('continues with the next answer, and survives the next reload', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    const page = await visitHostedPage(stage, session, `#token=${TOKEN}`);
    await sees(page, 'Sign in to your bank');
    session.show(CONSENT);
    session.then(() => ACCOUNTS);
    await page.reload();
    await sees(page, 'What Pocket Ledger will see');
    await page.getByRole('button', { name: 'Allow' }).click();
    await sees(page, 'Choose accounts to share');
    await page.reload();
    await sees(page, 'Choose accounts to share');
    await page.context().close();
  });

  const OUTCOMES = [
    ['linked', 'You connected your bank'],
    ['relinked', 'You connected your bank'],
    ['exited', 'You stopped connecting'],
    ['expired', 'You ran out of time'],
  ] as const;
  it.each(representatives(OUTCOMES, ([outcome]) => outcome === 'linked'))(
    'shows the outcome %s, and a way back to the app where the app has one',
    async (outcome, title) => {
      const session = new ScriptedSession(CREDENTIALS);
      session.on('POST /session/reopen', () => ended(session, outcome, `${stage.app.origin}/bank`));
      const page = await arriveAtHostedPage(stage, session, `#session=${session.view.session_id}`);
      await sees(page, title);
      expect(session.calls).toHaveLength(1);
      expect(await violations(page.mainFrame())).toEqual([]);
      await page.getByRole('button', { name: 'Back to Pocket Ledger' }).click();
      await page.waitForURL(`${stage.app.origin}/bank`);
      session.on('POST /session/reopen', () => ended(session, outcome, null));
      await page.goBack();
      await sees(page, title);
      await page.getByText('You can close this window.').waitFor();
      expect(await page.getByRole('button').count()).toBe(0);
      await page.context().close();
    },
  );

  const LOCALES = [
    ['en-US', arrivalTexts.en],
    ['es-ES', arrivalTexts.es],
    ['fr-FR', arrivalTexts.fr],
    ['de-DE', arrivalTexts.de],
    ['ar-EG', arrivalTexts.ar],
  ] as const;
  it.each(representatives(LOCALES, ([locale]) => locale === 'ar-EG'))(
    'that has no session to reopen asks for the link in the message (%s)',
    async (locale, texts) => {
      const session = new ScriptedSession(CREDENTIALS);
      const refused = () => failure(401, 'connect_error.invalid_session_token');
      session.on('POST /session/reopen', refused);
      const page = await (await newContext(stage.browser, { locale })).newPage();
      // A bookmark of the bare page, and the address of a session that another browser has opened.
      for (const rest of ['', '#session=', `#session=${session.view.session_id}`]) {
        await page.goto('about:blank');
        await arriveAtHostedPage(stage, session, rest, page);
        await sees(page, texts.problem_address_needed);
        await page.getByText(texts.same_browser, { exact: true }).waitFor();
      }
      expect(session.callsTo('POST /session/open')).toEqual([]);
      expect(await violations(page.mainFrame())).toEqual([]);
      await page.context().close();
    },
  );

  it('before the session is opened asks for the link again, although the tab has opened another session', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    const page = await visitHostedPage(stage, session, `#token=${TOKEN}`);
    await sees(page, 'Sign in to your bank');
    await page.goto('about:blank');
    await arriveAtHostedPage(stage, session, '#token=another_token', page);
    await sees(page, 'Connect your bank');
    await page.reload();
    await sees(page, arrivalTexts.en.problem_address_needed);
    expect(session.callsTo('POST /session/reopen')).toEqual([]);
    await page.context().close();
  });

  it('brings each of two tabs back to its own session', async () => {
    const context = await newContext(stage.browser);
    const session = new ScriptedSession(CREDENTIALS);
    const other = new ScriptedSession(OTP, { session_id: 'ses_2222222222222222222222' });
    const tabs = [await context.newPage(), await context.newPage()] as const;
    for (const [index, each] of [session, other].entries()) {
      await arriveAtHostedPage(stage, each, `#token=token_${index}`, tabs[index]);
      await pressToOpen(tabs[index] as Page);
      await eventually(() => expect(tabs[index]?.url()).toContain(each.view.session_id));
    }
    for (const [index, each] of [session, other].entries()) {
      stage.play(each);
      await tabs[index]?.reload();
      await eventually(() =>
        expect(each.callsTo('POST /session/reopen').map(({ body }) => body['session_id'])).toEqual([
          each.view.session_id,
        ]),
      );
    }
    await context.close();
  });

  it('takes the session only once the page is seen', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    const page = await (await newContext(stage.browser)).newPage();
    await page.addInitScript(() => {
      Object.defineProperty(document, 'visibilityState', {
        configurable: true,
        get: () => ((window as unknown as { isSeen?: true }).isSeen ? 'visible' : 'hidden'),
      });
    });
    await arriveAtHostedPage(stage, session, `#session=${session.view.session_id}`, page);
    await page.waitForLoadState('networkidle');
    expect(session.calls).toEqual([]);
    await page.evaluate(() => {
      (window as unknown as { isSeen?: true }).isSeen = true;
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await sees(page, 'Sign in to your bank');
    await page.context().close();
  });

  it('tries again when the service is away', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    session.on('POST /session/reopen', () => failure(410, 'connect_error.from_the_future'));
    const page = await arriveAtHostedPage(stage, session, `#session=${session.view.session_id}`);
    await sees(page, 'We can’t continue right now');
    session.on('POST /session/reopen', () =>
      ok({ view: { ...session.view, connect_token: 'ct_scripted' }, end: null }),
    );
    await page.getByRole('button', { name: 'Try again' }).click();
    await sees(page, 'Sign in to your bank');
    await page.context().close();
  });

  it('continues after a return from the bank in the same tab, also while that return is in progress', async () => {
    const session = new ScriptedSession(REDIRECT);
    const page = await visitHostedPage(stage, session, `#token=${TOKEN}`);
    await sees(page, 'You’ll sign in at Credentials Bank');
    session.show(CONSENT);
    const release = session.hold('POST /session/resume');
    await page.goto(`${stage.app.origin}/bank`);
    await arriveAtHostedPage(stage, session, `?oauth_state_id=${STATE_ID}`, page);
    await eventually(() => expect(session.callsTo('POST /session/resume')).toHaveLength(1));
    expect(page.url()).toBe(`${stage.connect.origin}/connect/hosted`);
    await page.reload();
    await sees(page, 'What Pocket Ledger will see');
    expect(page.url()).toContain(`#session=${session.view.session_id}`);
    release(failure(422, 'connect_error.oauth_state_invalid'));
    // The address of the return again, as a history keeps it: it is used up.
    session.on('POST /session/resume', () => failure(422, 'connect_error.oauth_state_invalid'));
    await arriveAtHostedPage(stage, session, `?oauth_state_id=${STATE_ID}`, page);
    await sees(page, 'What Pocket Ledger will see');
    expect(session.callsTo('POST /session/reopen')).toHaveLength(2);
    await page.context().close();
  });

  it('keeps the problem of a return from the bank in a browser that knows no session', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    session.on('POST /session/resume', () => failure(422, 'connect_error.oauth_state_invalid'));
    const page = await arriveAtHostedPage(stage, session, `?oauth_state_id=${STATE_ID}`);
    await sees(page, 'We couldn’t complete your return from the bank');
    expect(session.callsTo('POST /session/reopen')).toEqual([]);
    await page.context().close();
  });

  it('is what another address of a message in the same tab causes', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    const page = await visitHostedPage(stage, session, `#token=${TOKEN}`);
    await sees(page, 'Sign in to your bank');
    await page.evaluate(() => {
      location.hash = '#token=another_token';
    });
    await sees(page, 'Connect your bank');
    expect(page.url()).toBe(`${stage.connect.origin}/connect/hosted`);
    await pressToOpen(page);
    await sees(page, 'Sign in to your bank');
    expect(
      session.callsTo('POST /session/open').map(({ body }) => body['link_session_token']),
    ).toEqual([TOKEN, 'another_token']);
    await page.context().close();
  });
});
