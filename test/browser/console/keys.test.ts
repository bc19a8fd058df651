import type { Page } from 'playwright-core';
import { AppBackEnd, expectStatus } from '../../support/actors/link-journey.js';
import { describeConsole } from './support/stage.js';

describeConsole('The keys page of the console', (stage) => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await stage.newPage());
    await stage.signIn(page);
    await page.goto(`${stage.url}/a/${stage.service.app.app_id}/sandbox/keys`);
  });
  afterAll(() => page?.context().close());

  const textOf = (name: string): Promise<string> =>
    page.getByRole('dialog').getByRole('region', { name }).innerText();

  it('shows the app with its origins, and the use of each of its bounds', async () => {
    const { name, app_id: appId } = stage.service.app;
    const card = page.getByRole('region', { name, exact: true });
    await card.getByText(appId).waitFor();
    await card.getByText('May return to').waitFor();
    const row = card.getByRole('row', { name: /^Access tokens/ });
    expect(await row.innerText()).toMatch(/today\s+1,000,000\s+ACCESS_TOKENS_PER_DAY/);
  });

  it('creates a pair for some scopes, whose secret works, is shown once, and is gone when it was stored', async () => {
    await page.getByRole('button', { name: 'New pair…' }).click();
    await page.getByLabel('Label').fill('reports');
    const create = page.getByRole('button', { name: 'Create the pair' });
    await page.getByLabel('May make').selectOption('some');
    expect(await create.isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'read banks' }).check();
    await page.getByLabel('Ends').selectOption('after 30 days');
    await page.getByLabel('Share of the limits').selectOption('10 %');
    await create.click();
    const dialog = page.getByRole('dialog', { name: 'Store this secret now' });
    await dialog.waitFor();
    const pair = {
      client_id: await textOf('client_id'),
      client_secret: await textOf('client_secret'),
    };
    const backEnd = new AppBackEnd(stage.service.info.base_url, pair);
    await backEnd.get('/institutions?limit=1');
    expect((await backEnd.call('GET', '/links')).status).toBe(401);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(pair.client_secret);

    await page.reload();
    const card = page.getByRole('region', { name: 'reports' });
    await card.getByText('read banks institutions:read').waitFor();
    await card.getByText('10 %', { exact: true }).waitFor();
    await card.getByText(/^Access tokens: 1 of 100,000$/).waitFor();
    await expectStatus(201, backEnd.fetchToken());
  });
});
