import { eventually } from '../../support/assertions/eventually.js';
import {
  bankSession,
  expectStillWaiting,
  goToBank,
  handBack,
  RETURN,
  startOf,
  START,
  STATE_HASH,
  STATE_ID,
} from './support/bank-popup.js';
import { failure, ok, ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';
import { CONSENT, OAUTH_BANK, REDIRECT } from './support/views.js';

describeInBrowser('Connect at an OAuth bank', (stage) => {
  it('opens the bank in a popup and continues when the user returns', async () => {
    const session = bankSession(stage);
    const opened = await stage.open(session);
    const bank = await goToBank(opened);
    await opened.frame.getByRole('heading', { name: 'Finish in your bank’s window' }).waitFor();
    expect(session.callsTo(START)[0]?.body).toMatchObject({ seq: 1, window: 'popup' });
    const back = `${stage.app.origin}/bank-return?oauth_state_id=${STATE_ID}`;
    await bank.goto(back);
    await handBack(bank, stage.connect.origin);
    await opened.frame.getByRole('heading', { name: 'What Pocket Ledger will see' }).waitFor();
    expect(session.callsTo(RETURN).map(({ body }) => body['url'])).toEqual([back]);
    await eventually(() => expect(bank.isClosed()).toBe(true));
    await eventually(async () =>
      expect((await opened.events('open_oauth')).map(({ properties }) => properties)).toEqual([
        { window: 'popup' },
      ]),
    );
    await eventually(async () =>
      expect((await opened.events('return_oauth')).map(({ properties }) => properties)).toEqual([
        { window: 'popup' },
      ]),
    );
  });

  it('shows the app and the bank together before the bank, in its blank window, and on the return', async () => {
    const session = bankSession(stage);
    const answer = session.hold(START);
    const opened = await stage.open(session);
    const { frame } = opened;
    const both = (): Promise<string[]> => frame.locator('.app-and-bank bdi').allInnerTexts();
    await frame.getByRole('heading', { name: 'You’ll sign in at OAuth Bank' }).waitFor();
    expect(await both()).toEqual(['Pocket Ledger', 'OAuth Bank']);
    const popup = opened.page.context().waitForEvent('page');
    await frame.getByRole('button', { name: 'Continue to OAuth Bank' }).click();
    const bank = await popup;
    await eventually(async () =>
      expect(await bank.locator('body').innerText()).toMatch(
        /^Pocket Ledger → OAuth Bank\s+Opening OAuth Bank …$/,
      ),
    );
    answer(startOf(stage, session));
    await bank.waitForURL('**/bank');
    await frame.getByRole('heading', { name: 'Finish in your bank’s window' }).waitFor();
    expect(await both()).toEqual(['Pocket Ledger', 'OAuth Bank']);
    const returned = session.hold(RETURN);
    await bank.goto(`${stage.app.origin}/bank-return?oauth_state_id=${STATE_ID}`);
    await handBack(bank, stage.connect.origin);
    await frame.getByRole('heading', { name: 'Back from OAuth Bank' }).waitFor();
    expect(await both()).toEqual(['Pocket Ledger', 'OAuth Bank']);
    await eventually(async () =>
      expect(await frame.evaluate(() => document.activeElement?.textContent)).toBe(
        'Back from OAuth Bank',
      ),
    );
    returned(ok(session.show(CONSENT)));
    await frame.getByRole('heading', { name: 'What Pocket Ledger will see' }).waitFor();
  });

  it('ignores a return message from another origin', async () => {
    const session = bankSession(stage, 'https://app.example/bank-return');
    const opened = await stage.open(session);
    const bank = await goToBank(opened);
    await bank.goto(`${stage.app.origin}/bank-return?oauth_state_id=${STATE_ID}`);
    await handBack(bank, stage.connect.origin);
    await expectStillWaiting(opened, session, { from: bank, through: 'opener' });
  });

  it('ignores a return message from a window it did not open', async () => {
    const session = bankSession(stage);
    const opened = await stage.open(session);
    await goToBank(opened);
    await opened.page.evaluate(
      ([url]) => {
        const { frame } = window as unknown as { frame: HTMLIFrameElement };
        frame.contentWindow?.postMessage(
          { ns: 'connect', v: 1, channel: '', type: 'resume', payload: { url } },
          '*',
        );
      },
      [`${stage.app.origin}/bank-return?oauth_state_id=${STATE_ID}`],
    );
    await expectStillWaiting(opened, session, { from: opened.page, through: 'frame' });
  });

  it('ignores a return with a foreign state or without one', async () => {
    const session = bankSession(stage);
    const opened = await stage.open(session);
    const bank = await goToBank(opened);
    for (const query of ['?oauth_state_id=4c6f1f0a-0000-4000-8000-000000000000', '', '?code=abc']) {
      await bank.goto(`${stage.app.origin}/bank-return${query}`);
      await handBack(bank, stage.connect.origin);
    }
    await expectStillWaiting(opened, session, { from: bank, through: 'opener' });
    await opened.say('oauth_result', {
      url: `${stage.app.origin}/bank-return?oauth_state_id=4c6f1f0a-0000-4000-8000-000000000000`,
    });
    // A port keeps the order: the right address follows the wrong one.
    const right = `${stage.app.origin}/bank-return?oauth_state_id=${STATE_ID}`;
    await opened.say('oauth_result', { url: right });
    await opened.frame.getByRole('heading', { name: 'What Pocket Ledger will see' }).waitFor();
    expect(session.callsTo(RETURN).map(({ body }) => body['url'])).toEqual([right]);
  });

  it('opens one popup on a double click', async () => {
    const session = bankSession(stage);
    const opened = await stage.open(session);
    await opened.frame
      .getByRole('button', { name: 'Continue to OAuth Bank' })
      .evaluate((button: HTMLButtonElement) => {
        button.click();
        button.click();
      });
    await opened.frame.getByRole('heading', { name: 'Finish in your bank’s window' }).waitFor();
    expect(session.callsTo(START)).toHaveLength(1);
  });

  it('resumes from a reloaded return page only for the holder of the token', async () => {
    const session = new ScriptedSession(CONSENT, { institution: OAUTH_BANK });
    session.on('POST /session/resume', () => failure(422, 'connect_error.oauth_state_invalid'));
    const url = `${stage.app.origin}/bank-return?oauth_state_id=${STATE_ID}`;
    const holder = await stage.open(session, { entry: 'continue', init: { continue_url: url } });
    await holder.frame.getByRole('heading', { name: 'What Pocket Ledger will see' }).waitFor();
    const stranger = await stage.open(session, {
      entry: 'continue',
      init: { link_session_token: undefined, continue_url: url },
    });
    await stranger.frame
      .getByRole('heading', { name: 'We couldn’t complete your return from the bank' })
      .waitFor();
  });

  it('opens the bank again on request, and closes its window on cancel', async () => {
    const session = bankSession(stage);
    session.then(() => REDIRECT);
    const opened = await stage.open(session);
    const first = await goToBank(opened);
    const popup = opened.page.context().waitForEvent('page');
    await opened.frame.getByRole('button', { name: 'Open it again' }).click();
    const second = await popup;
    await second.waitForURL('**/bank');
    await eventually(() => expect(first.isClosed()).toBe(true));
    await opened.frame.getByRole('button', { name: 'Cancel' }).click();
    await opened.frame.getByRole('heading', { name: 'You’ll sign in at OAuth Bank' }).waitFor();
    await eventually(() => expect(second.isClosed()).toBe(true));
    expect(new Set(session.callsTo(START).map(({ body }) => body['request_id'])).size).toBe(2);
    expect(session.callsTo('POST /session/step')[0]?.body['input']).toEqual({
      kind: 'redirect',
      cancel: true,
    });
    await eventually(async () => expect(await opened.events('cancel_oauth')).toHaveLength(1));
  });

  it.each([
    ['opens the bank again', true],
    ['opens the bank again in a browser that blocks its window', false],
    ['opens the bank again, which takes longer than a call', true],
  ])(
    'cancels once the call in progress has returned, when that call %s',
    async (name, hasWindow) => {
      const session = bankSession(stage);
      session.then(() => REDIRECT);
      const opened = await stage.open(session);
      const first = await goToBank(opened);
      await opened.frame.getByRole('heading', { name: 'Finish in your bank’s window' }).waitFor();
      if (!hasWindow)
        await opened.frame.evaluate(() => {
          window.open = () => null;
        });
      const release = session.hold(START);
      await opened.frame.getByRole('button', { name: 'Open it again' }).click();
      await eventually(() => expect(session.callsTo(START)).toHaveLength(2));
      await opened.frame.getByRole('button', { name: 'Cancel' }).click();
      await eventually(() => expect(opened.page.context().pages()).toEqual([opened.page]));
      expect(first.isClosed()).toBe(true);
      expect(session.callsTo('POST /session/step')).toEqual([]);
      const started = { kind: 'redirect', started: true } as const;
      if (name.endsWith('a call')) {
        const view = session.show({ kind: 'wait', stage: 'connecting', can_cancel: false });
        release(failure(409, 'connect_error.step_in_progress', { view }));
        await opened.frame.getByRole('heading', { name: 'Connecting to OAuth Bank' }).waitFor();
        session.show(started);
      } else
        release(
          ok({
            authorize_url: `${stage.app.origin}/bank`,
            state_hash: STATE_HASH,
            expires_at: session.view.expires_at,
            view: session.show(started),
          }),
        );
      await opened.frame.getByRole('heading', { name: 'You’ll sign in at OAuth Bank' }).waitFor();
      expect(session.callsTo('POST /session/step').map(({ body }) => body['input'])).toEqual([
        { kind: 'redirect', cancel: true },
      ]);
      expect(opened.page.context().pages()).toEqual([opened.page]);
      expect(await opened.heard('oauth_open')).toEqual([]);
    },
  );

  it('navigates the page to the bank when the browser blocks the popup', async () => {
    const session = bankSession(stage);
    const opened = await stage.open(session);
    await opened.frame.evaluate(() => {
      window.open = () => null;
    });
    await opened.frame.getByRole('button', { name: 'Continue to OAuth Bank' }).click();
    await eventually(async () =>
      expect((await opened.heard('oauth_open')).map(({ payload }) => payload)).toEqual([
        {
          authorize_url: `${stage.app.origin}/bank`,
          redirect_uri: `${stage.app.origin}/bank-return`,
          window: 'same',
          state_hash: STATE_HASH,
        },
      ]),
    );
    expect(session.callsTo(START)[0]?.body).toMatchObject({ window: 'same' });
  });
});
