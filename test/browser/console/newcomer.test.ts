import type { Page } from 'playwright-core';
import { eventually } from '../../support/assertions/eventually.js';
import { WebhookReceiver, type ReceivedWebhook } from '../../support/receivers/webhook-receiver.js';
import { Person } from '../journeys/support/person.js';
import { describeConsole } from './support/stage.js';

describeConsole('A newcomer with nothing but the console', (stage) => {
  const at = (path = '') => `${stage.url}/a/${stage.service.app.app_id}/sandbox${path}`;
  const signedIn = async (...options: string[]): Promise<{ page: Page; faults: string[] }> => {
    const opened = await stage.newPage();
    await opened.page.goto(await stage.oneTimeLink(...options));
    await opened.page.getByRole('button', { name: 'Sign in' }).click();
    await opened.page.getByRole('navigation', { name: 'Console' }).waitFor();
    return opened;
  };
  const person = (page: Page) => Person.at(page, stage.service.info.connect_base_url);
  const ofApp = () => ['--role', 'app', '--app', stage.service.app.app_id];

  /** Opens Connect on the page, and returns once its link is exchanged. */
  const tryConnect = async (
    page: Page,
    bank: string,
    act: (user: Person) => Promise<void>,
  ): Promise<void> => {
    await page.goto(at('/connect'));
    await page.getByLabel('Bank').selectOption({ label: bank });
    await page.getByRole('button', { name: 'Open Connect' }).click();
    await act(await person(page));
    await page.getByRole('link', { name: 'Open the link' }).waitFor();
  };

  it('links each test bank in Connect, beside its callbacks and calls, without a token in sight', async () => {
    const { page, faults } = await signedIn();
    await tryConnect(page, 'Instant Bank', async () => undefined);
    await tryConnect(page, 'Credentials Bank', async (user) => {
      await user.sees('Sign in to your bank');
      await user.signIn('user_good');
      await user.allowAndShare();
    });
    await tryConnect(page, 'OAuth Bank', async (user) => {
      await user.sees('You’ll sign in at OAuth Bank');
      const opened = page.context().waitForEvent('page');
      await user.press(/^Continue to OAuth Bank/);
      const bank = await opened;
      await bank.getByRole('button', { name: 'Approve' }).click();
      await user.allowAndShare();
    });
    const log = await page.getByRole('region', { name: 'Callbacks and calls' }).innerText();
    for (const line of ['POST /link-session', 'onReady', 'onEvent open_oauth', 'onSuccess', '201'])
      expect(log).toContain(line);
    expect(log).toContain('"exchangeable_token": "sandbox_xt_…"');
    await (await person(page)).press('Done');
    await page.locator('iframe').waitFor({ state: 'detached' });
    await page.getByText('Connect was closed.').waitFor();
    await page.getByRole('link', { name: 'Open the link' }).click();
    await page.getByText('Attempt to link: linked', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it('sees a sign-in end without a reload, has it repaired on a phone, and replays what an outage held back', async () => {
    const receiver = await WebhookReceiver.start({ verify: stage.service.info.base_url });
    try {
      const { page, faults } = await signedIn(...ofApp());
      await page.goto(at('/try'));
      await page.getByLabel('Webhook address').fill(receiver.url());
      await page.getByRole('button', { name: 'Link it' }).click();
      const linked = page.getByRole('link', { name: 'Open the link' });
      const place = (await linked.first().getAttribute('href')) ?? '';
      await receiver.until((all) => all.some(({ body }) => body['state'] === 'connected'));

      receiver.respondWith({ status: 503, body: 'closed for repairs' });
      const { page: watching } = await stage.newPage();
      await watching.goto(await stage.oneTimeLink(...ofApp()));
      await watching.getByRole('button', { name: 'Sign in' }).click();
      await watching.getByRole('navigation', { name: 'Console' }).waitFor();
      await watching.goto(`${stage.url}${place}`);
      await watching.getByText('Connected', { exact: true }).first().waitFor();
      await page.getByRole('button', { name: 'End the sign-in' }).click();
      await watching.getByText('Sign-in needed').first().waitFor();

      await watching.getByRole('button', { name: 'Repair address' }).click();
      await watching.getByRole('button', { name: 'Create', exact: true }).click();
      const address = await watching.getByRole('region', { name: 'Repair address' }).innerText();
      await watching.getByRole('dialog').getByText('Close', { exact: true }).click();
      const { page: phone } = await stage.newPage({
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
      });
      await phone.goto(address);
      await phone.getByRole('button', { name: 'Continue' }).click();
      await phone.getByLabel('User name').fill('user_good');
      await phone.getByLabel('Password', { exact: true }).fill('pass_good');
      await phone.getByRole('button', { name: 'Continue' }).click();
      await phone.getByRole('heading', { name: 'Connected' }).waitFor();
      await watching.getByText('Connected', { exact: true }).first().waitFor();

      const kept = new Set(receiver.received.map(({ body }) => body.webhook_idempotency_key));
      await page.goto(at('/webhooks'));
      await page
        .getByRole('row', { name: /Waiting/ })
        .first()
        .waitFor();
      receiver.respondWith({ status: 204 });
      const before = receiver.received.length;
      await page.getByRole('button', { name: 'Replay matching…' }).click();
      await page.getByRole('checkbox', { name: 'Abandoned' }).uncheck();
      await page.getByRole('checkbox', { name: 'Waiting' }).check();
      await page.getByRole('button', { name: 'Count them' }).click();
      await page.getByRole('button', { name: /^Replay \d+$/ }).click();
      await page.getByText(/\d+ sent again/).waitFor();
      const isReplayed = ({ body }: ReceivedWebhook) => kept.has(body.webhook_idempotency_key);
      await receiver.until((all) => all.slice(before).some(isReplayed));
      await page.getByRole('dialog').getByText('Close', { exact: true }).click();
      await page
        .getByRole('row', { name: /Waiting/ })
        .first()
        .waitFor({ state: 'detached' });
      expect(faults).toEqual([]);
    } finally {
      await receiver.stop();
    }
  });

  it('advances a world, and reads what ran in it', async () => {
    const { page } = await signedIn(...ofApp());
    await page.goto(at('/worlds'));
    await page.getByLabel('Name').fill('Spring');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Spring' }).waitFor();
    await page.goto(at('/try'));
    await page.getByLabel('World').selectOption({ label: 'Spring' });
    await page.getByRole('button', { name: 'Link it' }).click();
    await page.getByRole('link', { name: 'Open the link' }).waitFor();
    await page.goto(at('/worlds'));
    await page
      .getByRole('region', { name: 'Spring' })
      .getByRole('button', { name: '7 days' })
      .click();
    await page.getByText(/^It ran/).waitFor();
  });

  it('rotates a secret with an overlap, in which the present one and the new one work', async () => {
    const { page } = await signedIn(...ofApp());
    const { client_id: clientId, client_secret: present } = stage.service.app.sandbox;
    await page.goto(at('/keys'));
    const card = page.getByRole('region', { name: clientId });
    await card.getByRole('button', { name: 'Rotate…' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    const next = await page.getByRole('region', { name: 'client_secret' }).innerText();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    for (const secret of [present, next]) expect(await tokenStatus(clientId, secret)).toBe(200);
    await eventually(async () => expect(await card.getByRole('row').count()).toBe(3));
    expect(await page.content()).not.toContain(next);
  });

  it('with a read-only sign-in reads every list, and is offered no change', async () => {
    const { page } = await signedIn(...ofApp(), '--read-only');
    await page.getByText('Read-only sign-in').waitFor();
    for (const path of ['/links', '/webhooks', '/try', '/connect', '/worlds', '/faults', '/keys']) {
      await page.goto(at(path));
      await page.getByRole('heading', { level: 1 }).waitFor();
      const offered = await page
        .getByRole('main')
        .getByRole('button')
        .evaluateAll((buttons) =>
          buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent),
        );
      expect(offered.filter((name) => !/^(Copy|Columns)/.test(name))).toEqual([]);
    }
  });

  async function tokenStatus(clientId: string, secret: string): Promise<number> {
    const response = await fetch(`${stage.service.info.base_url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: secret,
      }),
    });
    await response.body?.cancel();
    return response.status;
  }
});
