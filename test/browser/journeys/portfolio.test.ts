import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startExample, type RunningExample } from '../../support/services/start-example.js';
import { violations } from '../connect-app/support/check-screens.js';
import { describeJourneys } from './support/stage.js';

const PICTURES = fileURLToPath(new URL('../../../test-results/sample-app/', import.meta.url));
const PAGES = ['', '/react'];

describeJourneys('The sample app for a user with investments and debts', (stage) => {
  let sample: RunningExample;
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    const { client_id: clientId, client_secret: clientSecret } = stage.service.app.sandbox;
    sample = await startExample('examples/connect-web/server.mjs', /connect-js: +(\S+)\n/, {
      TRIBUTARY_URL: stage.service.info.base_url,
      CONNECT_BASE_URL: stage.service.info.connect_base_url,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
    });
  });
  afterAll(() => sample.stop());

  it.each(PAGES)(
    'shows holdings, their value over two weeks and the next payments of an example at %p',
    async (path) => {
      const page = await stage.newPage();
      await page.goto(`${sample.url}${path}`);
      await page.getByRole('button', { name: 'Show an example with investments' }).click();
      await page.getByRole('status').getByText('Two weeks pass').waitFor();
      const brokerage = page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: 'Brokerage' }) });
      await brokerage.getByText('EXSY').waitFor();
      // A fund of unknown cost has no gain of zero.
      await brokerage.getByText('gain unknown').first().waitFor();
      await brokerage.getByRole('img', { name: /^Value from / }).waitFor();
      await page.getByRole('status').getByText('linked two weeks ago').waitFor();
      const days = brokerage.locator('details li');
      expect(await days.count()).toBeGreaterThan(8);
      await brokerage.getByText('Values by day').focus();
      await page.keyboard.press('Enter');
      await days.first().waitFor({ state: 'visible' });

      const payments = page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: 'Next payments' }) });
      await payments.getByText('Home Mortgage').waitFor();
      await page.screenshot({
        path: join(PICTURES, `portfolio${path.replace('/', '-')}.png`),
        fullPage: true,
      });
      expect(await violations(page.mainFrame())).toEqual([]);
    },
  );

  it.each(PAGES)(
    'shows the transactions, holdings and payments of a bank that was just linked at %p, without a reload',
    async (path) => {
      const page = await stage.newPage();
      await page.goto(`${sample.url}${path}`);
      await page.getByRole('button', { name: 'Link a bank' }).click();
      const person = await stage.person(page);
      await person.chooseBank('Credentials Bank');
      await person.signIn('user_good');
      await person.allowAndShare();
      const bank = page
        .getByRole('article')
        .filter({ has: page.getByRole('heading', { name: 'Credentials Bank' }) });
      await bank.locator('li.transaction').first().waitFor();
      await bank.getByText('EXSY').waitFor();
      await bank.getByRole('heading', { name: 'Next payments' }).waitFor();
      await bank.getByText('Reading transactions').waitFor({ state: 'detached' });
    },
  );
});
