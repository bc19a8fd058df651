import type { Browser, Page } from 'playwright-core';
import { createFdxBank } from '../../../simulators/vendors/fdx/create-fdx-bank.js';
import type { FdxBank } from '../../../simulators/vendors/fdx/fdx-bank.types.js';
import { TRIAL_PASSWORD } from '../../../simulators/vendors/fdx/trial-values.js';
import { Ledger } from '../../../simulators/vendors/ledger/ledger.js';
import { createFdxClient } from '../../support/actors/fdx-client.js';
import { describeWithBrowser, enterBrowser, leaveBrowser } from '../../support/services/browser.js';
import { violations } from '../connect-app/support/check-screens.js';

describeWithBrowser('The pages of an FDX bank', () => {
  let browser: Browser;
  let page: Page;
  let bank: FdxBank;
  beforeAll(async () => {
    browser = await enterBrowser();
    bank = await createFdxBank({ ledger: new Ledger() });
  });
  beforeEach(async () => {
    page = await (await browser.newContext()).newPage();
    await page.route('**/connect/oauth/callback?**', (route) =>
      route.fulfill({ body: 'back in the app' }),
    );
  });
  afterEach(() => page.context().close());
  afterAll(async () => {
    await leaveBrowser(browser);
    await bank.close();
  });

  it.each([
    ['allow three of four accounts', ['Tab', 'Tab', 'Tab', 'Tab', 'Enter'], /[?&]code=/],
    ['deny', ['Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Enter'], /[?&]error=access_denied/],
  ])('let a customer sign in and %s by keyboard alone', async (_case, keys, end) => {
    const client = await createFdxClient(bank, 'first-fdx');
    await page.goto((await client.start()).href);
    expect(await violations(page.mainFrame())).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.type('trial');
    await page.keyboard.press('Tab');
    await page.keyboard.type(TRIAL_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'Accounts to share' }).waitFor();
    expect(await violations(page.mainFrame())).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    for (const key of keys) await page.keyboard.press(key);
    await page.getByText('back in the app').waitFor();
    expect(page.url()).toMatch(end);
  });
});
