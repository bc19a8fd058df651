import { createHash } from 'node:crypto';
import type { Frame, Page } from 'playwright-core';
import { eventually } from '../../support/assertions/eventually.js';
import { failure, ok, ScriptedSession } from './support/scripted-session.js';
import { called, frameAt, namesOfCalled, openingPage, sdkPage } from './support/sdk-page.js';
import { startPageServer, type Running } from './support/servers.js';
import { describeInBrowser } from './support/stage.js';
import { ACCOUNTS, CONSENT, CREDENTIALS, OAUTH_BANK, REDIRECT } from './support/views.js';

const STATE_ID = '0b8f4c7e-5a0d-4f0e-9d53-6f4f9d1c2a77';

describeInBrowser('The SDK with the hosted app', (stage) => {
  let pages: Running;
  beforeAll(async () => {
    pages = await startPageServer({
      '/': openingPage,
      '/bank-return': () => sdkPage('window.connect.continue({ url: location.href });'),
      '/bank': () => '<!doctype html><title>Bank</title>',
    });
  });
  afterAll(() => pages.stop());

  const visit = async (session: ScriptedSession, path = '/'): Promise<Page> => {
    stage.play(session);
    const page = await stage.newPage();
    await page.goto(
      `${pages.origin}${path}${path.includes('?') ? '&' : '?'}base=${encodeURIComponent(`${stage.connect.origin}/connect`)}`,
    );
    return page;
  };
  const frameOf = (page: Page): Promise<Frame> => frameAt(page, stage.connect.origin);

  it('opens Connect, links, calls back once and restores the focus', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    session.then((input) => (input['kind'] === 'form' ? ACCOUNTS : { kind: 'success' }));
    const page = await visit(session);
    await page.getByRole('button', { name: 'Link a bank' }).click();
    const frame = await frameOf(page);
    await frame.getByLabel('User name').fill('user_good');
    await frame.getByLabel('Password', { exact: true }).fill('pass_good');
    await frame.getByRole('button', { name: 'Continue' }).click();
    await frame.getByRole('button', { name: 'Share 2 accounts' }).click();
    await eventually(async () => expect(await namesOfCalled(page)).toEqual(['ready', 'success']));
    expect((await called(page))[1]?.payload).toMatchObject({
      mode: 'link',
      exchangeable_token: 'sandbox_xt_scripted',
    });
    await eventually(async () => expect(await page.locator('iframe').count()).toBe(0));
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('open'),
    );
  });

  it('asks for confirmation on Escape and calls onExit when the user leaves', async () => {
    const page = await visit(new ScriptedSession(ACCOUNTS));
    await page.getByRole('button', { name: 'Link a bank' }).click();
    const frame = await frameOf(page);
    await frame.getByRole('heading', { name: 'Choose accounts to share' }).waitFor();
    await page.keyboard.press('Escape');
    await frame.getByRole('button', { name: 'Stop connecting' }).click();
    await eventually(async () => expect(await namesOfCalled(page)).toEqual(['ready', 'exit']));
    await eventually(async () => expect(await page.locator('iframe').count()).toBe(0));
  });

  it("forwards the bank's return from the popup to the window that started", async () => {
    const session = new ScriptedSession(REDIRECT, {
      institution: OAUTH_BANK,
      redirect_uri: `${pages.origin}/bank-return`,
    });
    session.on('POST /session/oauth/start', () =>
      ok({
        authorize_url: `${pages.origin}/bank`,
        state_hash: createHash('sha256').update(STATE_ID).digest('base64url'),
        expires_at: session.view.expires_at,
        view: session.show({ kind: 'redirect', started: true }),
      }),
    );
    session.on('POST /session/oauth/return', () => ok(session.show(CONSENT)));
    const page = await visit(session);
    await page.getByRole('button', { name: 'Link a bank' }).click();
    const frame = await frameOf(page);
    const popup = page.context().waitForEvent('page');
    await frame.getByRole('button', { name: 'Continue to OAuth Bank' }).click();
    const bank = await popup;
    await bank.waitForURL('**/bank');
    await bank
      .goto(
        `${pages.origin}/bank-return?oauth_state_id=${STATE_ID}&base=${encodeURIComponent(`${stage.connect.origin}/connect`)}`,
      )
      .catch(() => undefined);
    await frame.getByRole('heading', { name: 'What Pocket Ledger will see' }).waitFor();
    await eventually(() => expect(bank.isClosed()).toBe(true));
    expect(session.callsTo('POST /session/oauth/return')).toHaveLength(1);
  });

  it('continues in another window while the older one keeps its notice', async () => {
    const session = new ScriptedSession(
      { kind: 'wait', stage: 'connecting', can_cancel: false },
      { institution: OAUTH_BANK },
    );
    const older = await visit(session);
    await older.getByRole('button', { name: 'Link a bank' }).click();
    const olderFrame = await frameOf(older);
    await olderFrame.getByRole('heading', { name: 'Connecting to OAuth Bank' }).waitFor();
    session.on('GET /session', () => failure(409, 'connect_error.session_moved'));
    session.on('POST /session/resume', () =>
      ok({ ...session.show(CONSENT), connect_token: 'ct_newer' }),
    );
    const newer = await visit(session, `/bank-return?oauth_state_id=${STATE_ID}`);
    await (
      await frameOf(newer)
    )
      .getByRole('heading', { name: 'What Pocket Ledger will see' })
      .waitFor();
    await olderFrame.getByRole('heading', { name: 'Continued in another window' }).waitFor();
    await eventually(async () =>
      expect((await called(older)).find(({ name }) => name === 'exit')?.payload).toMatchObject({
        reason: 'moved',
      }),
    );
    await olderFrame.locator('.primary').click();
    await eventually(async () => expect(await older.locator('iframe').count()).toBe(0));
  });
});
