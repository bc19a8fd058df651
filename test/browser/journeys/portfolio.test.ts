// cspell:ignore EXSY
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SandboxCaller } from '../../support/actors/sandbox-caller.js';
import { startExample, type RunningExample } from '../../support/services/start-example.js';
import { violations } from '../connect-app/support/check-screens.js';
import { describeJourneys } from './support/stage.js';

const PICTURES = fileURLToPath(new URL('../../../test-results/sample-app/', import.meta.url));
const USER = 'investor';

describeJourneys('The sample app for a user with investments and debts', (stage) => {
  let example: RunningExample;
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    const sandbox = new SandboxCaller(stage.app);
    const { world_id: world } = await sandbox.ask<{ world_id: string }>('POST', '/sandbox/worlds', {
      start: '2026-03-02T00:00:00',
      seed: 7,
    });
    await sandbox.link({
      world_id: world,
      customer_user: { id: USER },
      settings: { products: ['accounts', 'transactions', 'investments', 'liabilities'] },
    });
    await sandbox.ask('POST', `/sandbox/worlds/${world}/advance`, { by: 'P10D' });
    const { client_id: clientId, client_secret: clientSecret } = stage.service.app.sandbox;
    example = await startExample(
      'examples/connect-web/server.mjs',
      /connect-js: +(\S+)\n/,
      {
        TRIBUTARY_URL: stage.service.info.base_url,
        CONNECT_BASE_URL: stage.service.info.connect_base_url,
        CLIENT_ID: clientId,
        CLIENT_SECRET: clientSecret,
      },
      ['--user', USER],
    );
  });
  afterAll(() => example.stop());

  it.each(['', '/react'])(
    'shows holdings, their value over time and the next payments at %p',
    async (path) => {
      const page = await stage.newPage();
      await page.goto(`${example.url}${path}`);
      const brokerage = page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: 'Brokerage' }) });
      await brokerage.getByText('EXSY').waitFor();
      // A fund of unknown cost has no gain of zero.
      await brokerage.getByText('gain unknown').first().waitFor();
      await brokerage
        .getByRole('img', { name: /^Value from 2026-03-02 to 2026-03-1\d: / })
        .waitFor();
      await brokerage.getByText('Values by day').focus();
      await page.keyboard.press('Enter');
      await brokerage.getByText('2026-03-02').waitFor();

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
});
