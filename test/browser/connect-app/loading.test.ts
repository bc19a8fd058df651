import type { Page } from 'playwright-core';
import { eventually } from '../../support/assertions/eventually.js';
import { called, frameAt, namesOfCalled, openingPage } from './support/sdk-page.js';
import { ScriptedSession } from './support/scripted-session.js';
import { startPageServer, type Running } from './support/servers.js';
import { startSlowNetwork } from './support/slow-network.js';
import { describeInBrowser } from './support/stage.js';
import { CREDENTIALS } from './support/views.js';

const UNAVAILABLE = 'This could not be loaded. Check your connection and try again.';
const OFFLINE = 'You’re offline. This continues when you’re back online.';

describeInBrowser('Connect on a page whose network is bad', (stage) => {
  let pages: Running;
  beforeAll(async () => {
    pages = await startPageServer({ '/': openingPage });
  });
  afterAll(async () => {
    await pages.stop();
  });

  const visit = async (origin: string, given?: Page): Promise<Page> => {
    const page = given ?? (await stage.newPage());
    await page.goto(`${pages.origin}/?${new URLSearchParams({ base: `${origin}/connect` })}`);
    return page;
  };
  const open = (page: Page): Promise<void> => page.click('#open');

  it('opens over round trips of 2 s and 50 kB/s, and shows meanwhile that it is loading', async () => {
    stage.play(new ScriptedSession({ kind: 'select_institution' }, { environment: 'live' }));
    const slow = await startSlowNetwork(stage.connect, {
      roundTripMs: 2_000,
      bytesPerSecond: 50_000,
    });
    const page = await visit(slow.origin, await stage.newPage({}));
    const startedAt = performance.now();
    await open(page);
    await page.getByRole('dialog').getByText('Loading').waitFor();
    const frame = await frameAt(page, slow.origin);
    await frame.getByRole('heading', { name: 'Choose your bank' }).waitFor();
    process.stdout.write(
      `  from opening to the first screen on a slow network: ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`,
    );
    await eventually(async () => expect(await namesOfCalled(page)).toEqual(['ready']));
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.close();
    await slow.stop();
  });

  it('counts its limit from the arrival of the page, and opens when its script arrives', async () => {
    stage.play(new ScriptedSession(CREDENTIALS));
    const page = await stage.newPage({});
    await page.clock.install();
    const held = new Map<string, () => void>();
    for (const part of ['/connect/start', '/assets/index-*.js'])
      await page.route(`**${part}`, async (route) => {
        await new Promise<void>((resolve) => held.set(part, resolve));
        await route.continue();
      });
    const arrive = async (part: string): Promise<void> => {
      await eventually(() => expect([...held.keys()]).toContain(part));
      held.get(part)?.();
    };
    await visit(stage.connect.origin, page);
    await open(page);
    await page.clock.fastForward(9_000);
    await page.getByRole('dialog').getByText('Loading').waitFor();
    await arrive('/connect/start');
    await eventually(() => expect([...held.keys()]).toContain('/assets/index-*.js'));
    await page.clock.runFor(500);
    await page.clock.fastForward(9_000);
    expect(await called(page)).toEqual([]);
    await arrive('/assets/index-*.js');
    const frame = await frameAt(page, stage.connect.origin);
    await frame.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
    expect(await namesOfCalled(page)).toEqual(['ready']);
  });

  it('offers to try again after silence, and then opens', async () => {
    stage.play(new ScriptedSession(CREDENTIALS));
    const page = await stage.newPage({});
    await page.clock.install();
    let isSilent = true;
    await page.route('**/connect/start', async (route) => {
      if (!isSilent) await route.continue();
    });
    await visit(stage.connect.origin, page);
    await page.locator('#open').focus();
    await page.keyboard.press('Enter');
    await page.clock.fastForward(10_000);
    await page.getByRole('alert').filter({ hasText: UNAVAILABLE }).waitFor();
    expect(await page.locator('iframe').isVisible()).toBe(false);
    isSilent = false;
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const frame = await frameAt(page, stage.connect.origin);
    await frame.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
    await frame.getByLabel('User name').waitFor();
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('IFRAME'),
    );
    expect(await namesOfCalled(page)).toEqual(['error', 'ready']);
  });

  it('says at the opening that there is no network, and opens when there is one', async () => {
    stage.play(new ScriptedSession(CREDENTIALS));
    const page = await visit(stage.connect.origin);
    await page.context().setOffline(true);
    await open(page);
    await page.getByRole('alert').filter({ hasText: OFFLINE }).waitFor();
    expect(await page.locator('iframe').isVisible()).toBe(false);
    await page.context().setOffline(false);
    const frame = await frameAt(page, stage.connect.origin);
    await frame.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('shows a lost network at once on every screen, and its return', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    const { page, frame } = await stage.open(session);
    await frame.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
    const calls = session.calls.length;
    await page.context().setOffline(true);
    await frame.locator('.band-offline').waitFor();
    expect(session.calls).toHaveLength(calls);
    await page.context().setOffline(false);
    await frame.locator('.band-offline').waitFor({ state: 'detached' });
    await frame.getByText('You’re back online.').waitFor({ state: 'attached' });
  });

  it('goes around by Tab, ends by Escape, and returns the focus', async () => {
    const page = await stage.newPage({});
    await page.clock.install();
    await page.route('**/connect/start', () => undefined);
    await visit(stage.connect.origin, page);
    await page.locator('#open').focus();
    await page.keyboard.press('Enter');
    await page.clock.fastForward(10_000);
    await page.getByRole('alert').waitFor();
    const focused = (): Promise<string> =>
      page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent ?? '');
    for (const label of ['Try again', 'Close', 'Try again']) {
      await page.keyboard.press('Tab');
      expect(await focused()).toBe(label);
    }
    await page.keyboard.press('Shift+Tab');
    expect(await focused()).toBe('Close');
    await page.keyboard.press('Escape');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('open'),
    );
    expect(await namesOfCalled(page)).toEqual(['error', 'exit']);
  });
});
