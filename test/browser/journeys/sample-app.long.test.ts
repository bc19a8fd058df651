import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import {
  describeWithBrowser,
  enterBrowser,
  leaveBrowser,
  patiently,
} from '../../support/services/browser.js';
import { startDemo, type RunningDemo } from '../../support/services/run-demo.js';
import { eventually } from '../../support/assertions/eventually.js';
import { violations } from '../connect-app/support/check-screens.js';
import { Person } from './support/person.js';

const PICTURES = fileURLToPath(new URL('../../../test-results/sample-app/', import.meta.url));
const NAME = 'The sample app of the demo';

describeWithBrowser(NAME, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-sample-'));
  let demo: RunningDemo;
  let browser: Browser;
  let page: Page;
  let connectBaseUrl: string;

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    demo = startDemo(folder);
    browser = await enterBrowser();
    // The last line of its addresses.
    await demo.untilItSays('Live keys');
    const addressOf = (name: string) =>
      new RegExp(`${name}:? +(http\\S+)`).exec(demo.output())?.[1] ?? '';
    connectBaseUrl = `${addressOf('API')}/connect`;
    page = await (
      await patiently(
        browser.newContext({
          viewport: { width: 1100, height: 900 },
          locale: 'en-US',
          reducedMotion: 'reduce',
        }),
      )
    ).newPage();
    await page.goto(addressOf('Link banks by hand in the sample app'));
  });
  afterAll(async () => {
    await leaveBrowser(browser);
    await demo.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  const atOAuthBank = async (person: Person): Promise<void> => {
    await person.sees('You’ll sign in at OAuth Bank');
    const opened = person.page.context().waitForEvent('page');
    await person.press(/^Continue to OAuth Bank/);
    await (await opened).getByRole('button', { name: 'Approve' }).click();
  };
  const BANKS: Record<string, { login: (person: Person) => Promise<void>; asks: boolean }> = {
    'Instant Bank': { login: async () => undefined, asks: false },
    'OAuth Bank': { login: atOAuthBank, asks: true },
  };
  const cardOf = (bank: string): Locator =>
    page.getByRole('article').filter({ has: page.getByRole('heading', { name: bank }) });

  it.each(Object.keys(BANKS))('links, breaks and repairs %s', async (bank) => {
    const { login, asks } = BANKS[bank] ?? { login: async () => undefined, asks: false };
    await page.getByRole('button', { name: 'Link a bank' }).click();
    const linking = await Person.at(page, connectBaseUrl);
    await linking.chooseBank(bank);
    await login(linking);
    if (asks) await linking.allowAndShare();
    await cardOf(bank).getByText('Connected').waitFor();
    await cardOf(bank).getByText('Everyday Checking').waitFor();
    await page.getByRole('status').getByText(`${bank} is linked.`).waitFor();
    if (bank === 'OAuth Bank') await cardOf(bank).getByText('$412.37 owed').waitFor();
    // The focus returns to its previous place.
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Link a bank'),
    );

    await cardOf(bank).getByRole('button', { name: 'Break' }).click();
    await cardOf(bank).getByText('Sign in again to continue').waitFor();
    await page.screenshot({
      path: join(PICTURES, `${bank.toLowerCase().replace(' ', '-')}-broken.png`),
    });
    await cardOf(bank).getByRole('button', { name: 'Repair' }).click();
    if (asks) await login(await Person.at(page, connectBaseUrl));
    await page.getByRole('status').getByText(`${bank} is repaired.`).waitFor();
    await cardOf(bank).getByText('Connected').waitFor();
  });

  it('assigns a user no link of a stranger who lured them to a return page', async () => {
    const stranger = await (await browser.newContext({ locale: 'en-US' })).newPage();
    await stranger.goto(page.url());
    await stranger.getByText('No bank yet.').waitFor();
    // The stranger keeps the return address: the page does not pass it on.
    await stranger.context().route('**/plain-page.js', (route) => route.abort());
    await stranger.getByRole('button', { name: 'Link a bank' }).click();
    const linking = await Person.at(stranger, connectBaseUrl);
    await linking.chooseBank('OAuth Bank');
    await atOAuthBank(linking);
    const returned = stranger.context().pages().at(-1);
    await returned?.waitForURL('**/bank-return?oauth_state_id=*');

    const person = await (await browser.newContext({ locale: 'en-US' })).newPage();
    await person.goto(returned?.url() ?? '');
    await (await Person.at(person, connectBaseUrl)).allowAndShare();
    await person
      .getByRole('status')
      .getByText('This sign-in was started by someone else.')
      .waitFor();
    await person.reload();
    await person.getByText('No bank yet.').waitFor();
    await stranger.context().close();
    await person.context().close();
  });

  it('has no accessibility violation, and does not scroll sideways on a phone', async () => {
    expect(await violations(page.mainFrame())).toEqual([]);
    await page.screenshot({ path: join(PICTURES, 'desktop.png'), fullPage: true });
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      360,
    );
    await page.screenshot({ path: join(PICTURES, 'phone.png'), fullPage: true });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page.mainFrame())).toEqual([]);
    await page.screenshot({ path: join(PICTURES, 'phone-dark.png'), fullPage: true });
  });
});
