import type { Page } from 'playwright-core';
import type { AppsInNeed } from '../../../apps/console-server/src/operations/instance-start/apps-in-need-shapes.js';
import { describeConsole } from './support/stage.js';

describeConsole('A number of the instance in the console', (stage) => {
  let page: Page;
  let answer: AppsInNeed;
  beforeAll(async () => {
    ({ page } = await stage.newPage());
    // Other tests change the numbers of the service that they share.
    await page.route('**/api/instance/attention*', (route) => route.fulfill({ json: answer }));
    await stage.signIn(page);
  });
  afterAll(() => page?.context().close());

  const app = (name: string) => ({
    app_id: stage.service.app.app_id,
    name,
    environment: 'sandbox' as const,
    count: 2,
  });
  const open = async (name: RegExp): Promise<void> => {
    await page.goto(`${stage.url}/`);
    await page.getByRole('link', { name }).click();
  };

  it.each([
    [/^Links in error/, /\/links\?state=error$/],
    [/^Abandoned events/, /\/webhooks\?status=exhausted$/],
    [/^Receivers that refuse/, /\/webhooks\/endpoints$/],
  ])('leads to the filtered list of the one app that has them all: %s', async (name, list) => {
    answer = { apps: [app('Spring')], limit: 1_000, next_cursor: null };
    await open(name);
    await page.waitForURL(list);
    expect(new URL(page.url()).pathname).toContain(`/a/${stage.service.app.app_id}/sandbox/`);
  });

  it('leads to the apps that have them, each with its number and its list', async () => {
    const other = { ...app('Autumn'), app_id: 'autumn', count: 1_001 };
    answer = { apps: [app('Spring'), other], limit: 1_000, next_cursor: null };
    await open(/^Links in error/);
    const row = page.getByRole('row', { name: /Autumn/ });
    expect(await row.innerText()).toContain('1,000+');
    expect(await row.getByRole('link').getAttribute('href')).toBe(
      '/a/autumn/sandbox/links?state=error',
    );
  });

  it('leads to a page that looks further where the first apps have none', async () => {
    answer = { apps: [], limit: 1_000, next_cursor: 'app-100' };
    await open(/^Abandoned events/);
    await page.getByText('100 apps were looked at').waitFor();
    answer = { apps: [app('Spring')], limit: 1_000, next_cursor: null };
    await page.getByRole('link', { name: 'Look further' }).click();
    await page.getByRole('row', { name: /Spring/ }).waitFor();
    expect(page.url()).toContain('cursor=app-100');
  });

  it('leads to the configurations, of broken ones', async () => {
    await open(/^Configurations that are broken/);
    await page.waitForURL(/\/providers$/);
  });
});
