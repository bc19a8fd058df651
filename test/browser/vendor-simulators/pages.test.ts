import type { Browser, Page } from 'playwright-core';
import { EnableBankingClient } from '../../support/actors/enable-banking-client.js';
import { describeWithBrowser, enterBrowser, leaveBrowser } from '../../support/services/browser.js';
import {
  startVendorSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';
import { representatives } from '../../support/runner/representatives.js';
import { violations } from '../connect-app/support/check-screens.js';

describeWithBrowser('The pages of the vendor simulators', () => {
  let browser: Browser;
  let page: Page;
  const started: TestSimulator[] = [];
  beforeAll(async () => {
    browser = await enterBrowser();
  });
  beforeEach(async () => {
    page = await (await browser.newContext()).newPage();
  });
  afterEach(() => page.context().close());
  afterAll(async () => {
    await leaveBrowser(browser);
    await Promise.all(started.map((simulator) => simulator.close()));
  });

  const start = async (vendor: 'simplefin' | 'enable-banking'): Promise<TestSimulator> => {
    const simulator = await startVendorSimulator(vendor);
    started.push(simulator);
    return simulator;
  };
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };

  it('show a setup token of SimpleFIN by keyboard alone', async () => {
    const { url } = await start('simplefin');
    await page.goto(`${url}/simplefin/create`);
    expect(await violations(page.mainFrame())).toEqual([]);
    await press('Tab', 'ArrowDown', 'Tab', 'Enter');
    const token = await page.getByLabel('Copy it into the app').inputValue();
    expect(await violations(page.mainFrame())).toEqual([]);
    const claimed = await fetch(Buffer.from(token, 'base64').toString(), { method: 'POST' });
    expect(claimed.status).toBe(200);
  });

  const answers = [
    ['accept', ['Tab', 'Tab', 'Enter'], /^\?state=s&code=[\w-]+$/],
    ['deny', ['Tab', 'Tab', 'Tab', 'Enter'], /^\?state=s&error=access_denied/],
  ] as const;
  it.each(representatives(answers, ([answer]) => answer === 'accept'))(
    'let a customer %s at a bank of Enable Banking by keyboard alone',
    async (_case, keys, end) => {
      const { url } = await start('enable-banking');
      const client = await EnableBankingClient.register(url, () => new Date());
      const aspsp = { name: 'Saaristopankki', country: 'FI' };
      const { json } = await client.startAuthorization(aspsp, 's');
      await page.goto(String(json['url']));
      expect(await violations(page.mainFrame())).toEqual([]);
      await page.route(`${EnableBankingClient.REDIRECT_URL}**`, (route) =>
        route.fulfill({ body: 'back in the app' }),
      );
      await press(...keys);
      await page.getByText('back in the app').waitFor();
      expect(new URL(page.url()).search).toMatch(end);
    },
  );
});
