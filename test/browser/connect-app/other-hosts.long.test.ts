import { createHash } from 'node:crypto';
import { eventually } from '../../support/assertions/eventually.js';
import { failure, ok, ScriptedSession } from './support/scripted-session.js';
import { pressToOpen } from '../../support/actors/hosted-page.js';
import { arriveAtHostedPage, envelope, receive, visitHostedPage } from './support/hosts.js';
import { CHANNEL, describeInBrowser, newContext } from './support/stage.js';
import { ACCOUNTS, CONSENT, CREDENTIALS, OAUTH_BANK, REDIRECT } from './support/views.js';

const STATE_ID = '0b8f4c7e-5a0d-4f0e-9d53-6f4f9d1c2a77';

describeInBrowser('The hosted page', (stage) => {
  it('ends with the success screen, or at the address that the app requests', async () => {
    const session = new ScriptedSession({ kind: 'success' });
    const page = await visitHostedPage(stage, session, '#token=hosted_token');
    await page.getByRole('heading', { name: 'Connected' }).waitFor();
    await page.getByText('You can close this window.').waitFor();
    const other = new ScriptedSession({ kind: 'success' });
    other.on('POST /session/finish', () =>
      ok({ ...other.result(), completion_redirect_uri: `${stage.app.origin}/bank` }),
    );
    const next = await visitHostedPage(stage, other, '#token=hosted_token');
    await next.getByRole('button', { name: 'Back to Pocket Ledger' }).waitFor();
    await next.waitForURL(`${stage.app.origin}/bank`);
    await page.context().close();
    await next.context().close();
  });

  it('leaves the success screen at once when its button is pressed', async () => {
    const session = new ScriptedSession({ kind: 'success' });
    session.on('POST /session/finish', () =>
      ok({ ...session.result(), completion_redirect_uri: `${stage.app.origin}/bank` }),
    );
    const page = await (await newContext(stage.browser)).newPage();
    // Without its timer the page is left by the press alone.
    await page.addInitScript(() => {
      const later = window.setTimeout;
      window.setTimeout = ((act: () => void, ms?: number) =>
        ms === 4_000 ? 0 : later(act, ms)) as typeof window.setTimeout;
    });
    await arriveAtHostedPage(stage, session, '#token=hosted_token', page);
    await pressToOpen(page);
    await page.getByRole('button', { name: 'Back to Pocket Ledger' }).click();
    await page.waitForURL(`${stage.app.origin}/bank`);
    await page.context().close();
  });

  it('shows the success although the back end has already used the result', async () => {
    const session = new ScriptedSession(ACCOUNTS);
    const closed = () => failure(410, 'connect_error.session_closed');
    session.on('POST /session/step', closed);
    session.on('GET /session', closed);
    const page = await visitHostedPage(stage, session, '#token=hosted_token');
    await page.getByRole('button', { name: /^Share \d accounts?$/ }).click();
    await page.getByRole('heading', { name: 'Connected' }).waitFor();
    await page.context().close();
  });

  it('lets the user leave', async () => {
    const page = await visitHostedPage(
      stage,
      new ScriptedSession(CREDENTIALS),
      '#token=hosted_token',
    );
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('heading', { name: 'You stopped connecting' }).waitFor();
    await page.context().close();
  });

  it('is its own return page: it notifies the page that opened the bank, or resumes alone', async () => {
    const session = new ScriptedSession(REDIRECT, {
      institution: OAUTH_BANK,
      redirect_uri: `${stage.connect.origin}/connect/hosted`,
    });
    session.on('POST /session/oauth/start', () =>
      ok({
        authorize_url: `${stage.app.origin}/bank`,
        state_hash: createHash('sha256').update(STATE_ID).digest('base64url'),
        expires_at: session.view.expires_at,
        view: session.show({ kind: 'redirect', started: true }),
      }),
    );
    session.on('POST /session/oauth/return', () => ok(session.show(CONSENT)));
    const page = await visitHostedPage(stage, session, '#token=hosted_token');
    const popup = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Continue to OAuth Bank' }).click();
    const bank = await popup;
    await bank.waitForURL('**/bank');
    await bank
      .goto(`${stage.connect.origin}/connect/hosted?oauth_state_id=${STATE_ID}`)
      .catch(() => undefined);
    await page.getByRole('heading', { name: 'What Pocket Ledger will see' }).waitFor();
    await eventually(() => expect(bank.isClosed()).toBe(true));
    const alone = await visitHostedPage(stage, session, `?oauth_state_id=${STATE_ID}`);
    await alone.getByRole('heading', { name: 'What Pocket Ledger will see' }).waitFor();
    expect(session.callsTo('POST /session/resume')[0]?.body).toMatchObject({
      url: `${stage.connect.origin}/connect/hosted?oauth_state_id=${STATE_ID}`,
    });
    expect(alone.url()).toBe(
      `${stage.connect.origin}/connect/hosted#session=${session.view.session_id}`,
    );
    await page.context().close();
    await alone.context().close();
  });
});

describeInBrowser('Connect in a WebView', (stage) => {
  it('lets the user start a login again after canceling it', async () => {
    const session = new ScriptedSession(
      { kind: 'redirect', started: true },
      { institution: OAUTH_BANK },
    );
    session.then(() => REDIRECT);
    stage.play(session);
    const page = await (await newContext(stage.browser)).newPage();
    await page.addInitScript(() => {
      Object.assign(window, { ReactNativeWebView: { postMessage: () => undefined } });
    });
    await page.goto(`${stage.connect.origin}/connect/start#channel=${CHANNEL}`);
    await receive(
      page,
      envelope('init', { link_session_token: 'mobile_token', options: { platform: 'ios' } }),
    );
    await page.getByRole('heading', { name: 'Finish in your bank’s window' }).waitFor();
    await receive(page, envelope('oauth_result', { cancelled: true }));
    await page.getByRole('button', { name: 'Continue to OAuth Bank' }).waitFor();
    await page.context().close();
  });
});
