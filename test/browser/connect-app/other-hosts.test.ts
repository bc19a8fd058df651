import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { pressToOpen } from '../../support/actors/hosted-page.js';
import { eventually } from '../../support/assertions/eventually.js';
import { failure, ok, ScriptedSession } from './support/scripted-session.js';
import { violations } from './support/check-screens.js';
import { arriveAtHostedPage, envelope, receive, visitHostedPage } from './support/hosts.js';
import { signIn } from './support/sign-in.js';
import { CHANNEL, describeInBrowser, newContext, type Heard } from './support/stage.js';
import { ACCOUNTS, CONSENT, CREDENTIALS, OAUTH_BANK, REDIRECT } from './support/views.js';
import { representatives } from '../../support/runner/representatives.js';

// cspell:ignore networkidle
const STATE_ID = '0b8f4c7e-5a0d-4f0e-9d53-6f4f9d1c2a77';

describeInBrowser('The hosted page', (stage) => {
  it('reads the token from the fragment and removes it from the address and the history', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    const page = await visitHostedPage(stage, session, '#token=hosted_token');
    await page.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
    expect(session.callsTo('POST /session/open')[0]?.body).toMatchObject({
      link_session_token: 'hosted_token',
      origin: stage.connect.origin,
      platform: 'web',
    });
    expect(page.url()).toBe(
      `${stage.connect.origin}/connect/hosted#session=${session.view.session_id}`,
    );
    expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.context().close();
  });

  it('opens its session when its button is pressed, and not for a scanner of mail that runs its scripts, moves the pointer and waits an hour', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    const page = await (await newContext(stage.browser)).newPage();
    await page.clock.install();
    await arriveAtHostedPage(stage, session, '#token=hosted_token', page);
    await page.getByRole('heading', { level: 1, name: 'Connect your bank' }).waitFor();
    const button = page.getByRole('button', { name: 'Continue' });
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Continue'),
    );
    await button.hover();
    await button.blur();
    await button.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await page.mouse.wheel(0, 400);
    await page.clock.fastForward('01:00:00');
    await page.waitForLoadState('networkidle');
    expect(session.calls).toEqual([]);
    expect(await violations(page.mainFrame())).toEqual([]);

    await button.press('Enter');
    await page.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
    expect(session.callsTo('POST /session/open')).toHaveLength(1);
    await page.context().close();
  });

  it('does not ask again in a tab where its button was pressed for the same address, and keeps no token there', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    const page = await visitHostedPage(stage, session, '#token=hosted_token');
    await page.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(
      'hosted_token',
    );
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, '']);
    await page.goto('about:blank');
    await arriveAtHostedPage(stage, session, '#token=hosted_token', page);
    await page.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
    expect(session.callsTo('POST /session/open')).toHaveLength(2);

    await page.goto('about:blank');
    await arriveAtHostedPage(stage, session, '#token=another_token', page);
    await page.getByRole('heading', { name: 'Connect your bank' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(session.callsTo('POST /session/open')).toHaveLength(2);
    await pressToOpen(page);
    await page.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
    await page.context().close();
  });

  it('returns a user whose time is over to the address that the app requests', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    session.on('POST /session/step', () => failure(410, 'connect_error.session_expired'));
    session.on('POST /session/exit', () =>
      ok({ closed: true, completion_redirect_uri: `${stage.app.origin}/bank` }),
    );
    const page = await visitHostedPage(stage, session, '#token=hosted_token');
    await signIn(page.mainFrame());
    await page.getByRole('heading', { name: 'You ran out of time' }).waitFor();
    await page.locator('.primary').click();
    await page.waitForURL(`${stage.app.origin}/bank`);
    await page.context().close();
  });

  it('makes no call inside another page', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    const { page } = await stage.open(session, { holdInit: true });
    await page.evaluate((src) => {
      (window as unknown as { frame: HTMLIFrameElement }).frame.src = src;
    }, `${stage.connect.origin}/connect/hosted#token=hosted_token`);
    await page
      .frameLocator('iframe')
      .getByRole('heading', { name: 'Open this from your app' })
      .waitFor();
    expect(session.calls).toEqual([]);
  });
});

describeInBrowser('Connect in a WebView', (stage) => {
  /** A developer's computer as a phone reaches it: its origin is not a secure one. */
  const LAN = 'http://phone.test';
  const reachOverLan = (page: Page): Promise<unknown> =>
    page.route(`${LAN}/**`, async (route) => {
      const url = route.request().url().replace(LAN, stage.connect.origin);
      // The long poll of a closing page has no destination.
      const response = await route.fetch({ url }).catch(() => null);
      if (response !== null) await route.fulfill({ response }).catch(() => undefined);
    });

  const bridges = [
    ['ReactNativeWebView', 'a secure origin'],
    ['webkit', 'a secure origin'],
    ['ReactNativeWebView', 'an http origin that is not secure'],
    ['webkit', 'an http origin that is not secure'],
  ] as const;
  // The other bridge and a secure origin have the test of a restarted app.
  const chosen = representatives(
    bridges,
    ([bridge, place]) => bridge === 'webkit' && place !== 'a secure origin',
  );

  it.each(chosen)(
    'links through the %s bridge from %s without a port, and lets the system open the bank',
    async (bridge, place) => {
      const session = new ScriptedSession(REDIRECT, {
        institution: OAUTH_BANK,
        redirect_uri: 'pocketledger://bank-return',
      });
      session.on('POST /session/oauth/start', () =>
        ok({
          authorize_url: 'https://oauth-bank.example/authorize',
          state_hash: createHash('sha256').update(STATE_ID).digest('base64url'),
          expires_at: session.view.expires_at,
          view: session.show({ kind: 'redirect', started: true }),
        }),
      );
      session.on('POST /session/oauth/return', () => ok(session.show(ACCOUNTS)));
      stage.play(session);
      const page = await (
        await newContext(stage.browser, {
          viewport: { width: 390, height: 780 },
          isMobile: true,
          hasTouch: true,
        })
      ).newPage();
      await page.addInitScript((name) => {
        const heard: unknown[] = [];
        const target = {
          postMessage: (text: string) => {
            heard.push(JSON.parse(text));
          },
        };
        Object.assign(
          window,
          { heard },
          name === 'webkit'
            ? { webkit: { messageHandlers: { connect: target } } }
            : { ReactNativeWebView: target },
        );
      }, bridge);
      const isSecure = place === 'a secure origin';
      if (!isSecure) await reachOverLan(page);
      await page.goto(`${isSecure ? stage.connect.origin : LAN}/connect/start#channel=${CHANNEL}`);
      expect(await page.evaluate(() => isSecureContext)).toBe(isSecure);
      const heard = async (type: string): Promise<Heard[]> =>
        (await page.evaluate(() => (window as unknown as { heard: Heard[] }).heard)).filter(
          (message) => message.type === type,
        );
      await eventually(async () => expect(await heard('hello')).toHaveLength(1));
      await receive(
        page,
        envelope('init', { link_session_token: 'wrong', options: {} }, 'another-channel-000000'),
      );
      await receive(page, 'not json');
      await receive(
        page,
        JSON.stringify(
          envelope('init', {
            link_session_token: 'mobile_token',
            options: { platform: 'react-native', device: 'mobile' },
          }),
        ),
      );
      await receive(page, envelope('init', { link_session_token: 'second', options: {} }));
      await page.getByRole('button', { name: 'Continue to OAuth Bank' }).click();
      expect(
        session
          .callsTo('POST /session/open')
          .map(({ body }) => [body['link_session_token'], body['origin'], body['platform']]),
      ).toEqual([['mobile_token', null, 'react-native']]);
      await eventually(async () =>
        expect((await heard('oauth_open'))[0]?.payload).toEqual({
          authorize_url: 'https://oauth-bank.example/authorize',
          redirect_uri: 'pocketledger://bank-return',
          window: 'system',
          state_hash: createHash('sha256').update(STATE_ID).digest('base64url'),
        }),
      );
      await receive(
        page,
        envelope('oauth_result', { url: `pocketledger://bank-return?oauth_state_id=${STATE_ID}` }),
      );
      await page.getByRole('heading', { name: 'Choose accounts to share' }).waitFor();
      // An SDK waits for this before it resumes elsewhere (connect 9.4, rule 6).
      expect(await heard('resume_ack')).toMatchObject([
        { channel: CHANNEL, payload: { oauth_state_id: STATE_ID } },
      ]);
      await receive(page, envelope('back', {}));
      await page.getByRole('alertdialog').waitFor();
      await page.context().close();
    },
  );

  it('resumes in an app that was restarted during the redirect (connect 13, check 4: process death)', async () => {
    const session = new ScriptedSession(CONSENT, { institution: OAUTH_BANK });
    stage.play(session);
    const page = await (await newContext(stage.browser)).newPage();
    await page.addInitScript(() => {
      Object.assign(window, { ReactNativeWebView: { postMessage: () => undefined } });
    });
    await page.goto(`${stage.connect.origin}/connect/continue#channel=${CHANNEL}`);
    const url = `pocketledger://bank-return?oauth_state_id=${STATE_ID}`;
    await receive(
      page,
      envelope('init', {
        continue_url: url,
        options: { platform: 'react-native', device: 'mobile' },
      }),
    );
    await page.getByRole('heading', { name: 'What Pocket Ledger will see' }).waitFor();
    expect(
      session
        .callsTo('POST /session/resume')
        .map(({ body }) => [body['url'], body['origin'], body['platform']]),
    ).toEqual([[url, null, 'react-native']]);
    expect(session.callsTo('POST /session/open')).toEqual([]);
    await page.context().close();
  });
});
