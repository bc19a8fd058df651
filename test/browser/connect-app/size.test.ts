import { gzipSync } from 'node:zlib';
import { representatives } from '../../support/runner/representatives.js';
import { arriveAtHostedPage } from './support/hosts.js';
import { ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';
import { CREDENTIALS, OAUTH_BANK, REDIRECT } from './support/views.js';

/** connect 12 */
const BUDGET = 50_000;

const FIRST_SCREENS = {
  arrival: () => new ScriptedSession(CREDENTIALS),
  finder: () => new ScriptedSession({ kind: 'select_institution' }, { environment: 'live' }),
  credentials: () => new ScriptedSession(CREDENTIALS, { environment: 'live' }),
  bank_redirect: () =>
    new ScriptedSession(REDIRECT, { environment: 'live', institution: OAUTH_BANK }),
};

describeInBrowser('The first load of Connect', (stage) => {
  const loads = Object.keys(FIRST_SCREENS).flatMap((screen) =>
    ['en', 'ar'].map((locale) => [screen, locale] as const),
  );
  // All are in one file. The hosted page shows its first screen before it has a session.
  it.each(
    representatives(loads, ([screen, locale]) => /arrival|finder/.test(screen) && locale === 'ar'),
  )('shows the %s screen in %s within the script budget', async (screen, locale) => {
    const session = FIRST_SCREENS[screen as keyof typeof FIRST_SCREENS]();
    const scripts = new Map<string, number>();
    const context = await stage.browser.newContext({ locale });
    const page = await context.newPage();
    // Chunks that are prefetched for later screens are requested after the first screen is visible,
    // and are blocked here.
    let isVisible = false;
    await page.route('**/connect/assets/*.js', async (route) => {
      if (isVisible) return;
      const response = await route.fetch();
      scripts.set(route.request().url(), gzipSync(await response.body(), { level: 9 }).length);
      await route.fulfill({ response });
    });
    await page.exposeBinding('screenIsVisible', () => {
      isVisible = true;
    });
    await page.addInitScript(() => {
      new MutationObserver(() => {
        if (
          location.pathname.startsWith('/connect/') &&
          document.querySelector('h1:not(.visually-hidden)') !== null
        )
          (window as unknown as { screenIsVisible: () => void }).screenIsVisible();
      }).observe(document, { childList: true, subtree: true });
    });
    const frame =
      screen === 'arrival'
        ? (await arriveAtHostedPage(stage, session, '#token=hosted_token', page)).mainFrame()
        : (await stage.open(session, { page, options: { locale } })).frame;
    await frame.locator('h1:not(.visually-hidden)').waitFor();
    const total = [...scripts.values()].reduce((sum, size) => sum + size, 0);
    process.stdout.write(
      `  first load, ${screen} in ${locale}: ${(total / 1000).toFixed(1)} kB of compressed script, ${scripts.size} files\n`,
    );
    // A further file would wait for another round trip.
    expect(scripts.size).toBe(1);
    expect(total).toBeGreaterThan(10_000);
    expect(total).toBeLessThanOrEqual(BUDGET);
    await context.close();
  });
});
