import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startExample, type RunningExample } from '../../support/services/start-example.js';
import { describeJourneys } from './support/stage.js';

/** The pictures of README and docs: `UPDATE_PICTURES=1` writes them there, any other run beside the results of tests. */
const FOLDER = fileURLToPath(
  new URL(
    process.env['UPDATE_PICTURES'] ? '../../../docs/images/' : '../../../test-results/images/',
    import.meta.url,
  ),
);

describeJourneys('The pictures of the documentation', (stage) => {
  let sample: RunningExample;
  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    sample = await startExample('examples/connect-web/server.mjs', /connect-js: +(\S+)\n/, {
      TRIBUTARY_URL: stage.service.info.base_url,
      CLIENT_ID: stage.service.app.sandbox.client_id,
      CLIENT_SECRET: stage.service.app.sandbox.client_secret,
    });
  });
  afterAll(() => sample.stop());

  it('show Connect over the sample app, and the sample app with a linked bank', async () => {
    const page = await stage.newPage({
      viewport: { width: 960, height: 720 },
      colorScheme: 'light',
    });
    await page.goto(sample.url);
    await page.getByRole('button', { name: 'Link a bank' }).click();
    const person = await stage.person(page);
    await person.sees('Choose your bank');
    await person.frame.getByRole('option').first().waitFor();
    await page.screenshot({ path: `${FOLDER}connect.png` });
    await person.chooseBank('Credentials Bank');
    await person.signIn('user_good');
    await person.allowAndShare();
    await page.locator('iframe').waitFor({ state: 'detached' });
    await page.locator('article li.transaction').first().waitFor();
    await page.screenshot({ path: `${FOLDER}sample-app.png` });
    expect(await page.locator('article li').count()).toBeGreaterThan(3);
  });

  it('show the value of a brokerage over two weeks in the sample app', async () => {
    const page = await stage.newPage({
      viewport: { width: 760, height: 900 },
      colorScheme: 'light',
    });
    await page.goto(sample.url);
    await page.getByRole('button', { name: 'Show an example with investments' }).click();
    const brokerage = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Brokerage' }) });
    await brokerage.getByRole('img', { name: /^Value from / }).waitFor();
    await page.getByText('linked two weeks ago').waitFor();
    await brokerage.screenshot({ path: `${FOLDER}brokerage.png` });
  });
});
