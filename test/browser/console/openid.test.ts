import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { freePort } from '../../../apps/standalone/src/ports.js';
import {
  startConsoleInProcess,
  type ConsoleInProcess,
} from '../../e2e/console/support/console-in-process.js';
import {
  CLIENT,
  startOpenIdProvider,
  type OpenIdProvider,
} from '../../e2e/console/support/openid-provider.js';
import {
  describeWithBrowser,
  enterBrowser,
  leaveBrowser,
  patiently,
} from '../../support/services/browser.js';
import { violations } from '../connect-app/support/check-screens.js';

const FOLDER = fileURLToPath(new URL('../../../dist/apps/console', import.meta.url));
const APP = 'pocket-ledger';

describeWithBrowser('A sign-in to the console at an OpenID provider, in a browser', () => {
  let browser: Browser;
  let console: ConsoleInProcess;
  let provider: OpenIdProvider;
  /** Another site than the provider, whose address has the other name of this computer. */
  let url: string;
  beforeAll(async () => {
    const port = await freePort('127.0.0.1');
    url = `http://localhost:${port}`;
    provider = await startOpenIdProvider(`${url}/sign-in/return`);
    const settings = {
      CONSOLE_PORT: String(port),
      CONSOLE_BASE_URL: url,
      CONSOLE_OIDC_ISSUER: provider.issuer,
      CONSOLE_OIDC_CLIENT_ID: CLIENT.id,
      CONSOLE_OIDC_CLIENT_SECRET: CLIENT.secret,
    };
    [browser, console] = await Promise.all([
      enterBrowser(),
      startConsoleInProcess(settings, { folder: FOLDER }),
    ]);
  });
  afterAll(async () => {
    await leaveBrowser(browser);
    await console?.close();
    await provider?.close();
  });

  const newPage = async (): Promise<Page> => {
    const context = await patiently(
      browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' }),
    );
    return context.newPage();
  };
  const signIn = async (page: Page): Promise<void> => {
    await page.goto(`${url}/sign-in`);
    await page.getByRole('button', { name: 'Sign in with your organization' }).click();
  };

  it('begins with a button, returns without its code in the address, and shows who is signed in', async () => {
    provider.person = { sub: 'ada', roles: ['operator'] };
    const page = await newPage();
    await signIn(page);
    await page.getByRole('heading', { level: 1, name: 'The instance' }).waitFor();
    expect(page.url()).toBe(`${url}/`);
    const actor = `oidc:${new URL(provider.issuer).host}/ada`;
    await page.getByRole('button', { name: `Signed in as ${actor}` }).waitFor();
    await page.goBack();
    expect(page.url()).not.toContain('code=');
  });

  it('shows someone without a role the issuer and the subject to hand over, and nothing else', async () => {
    provider.person = { sub: 'mallory-4711', roles: ['admin'] };
    const page = await newPage();
    await signIn(page);
    await page.getByRole('heading', { level: 1, name: 'You have no role here' }).waitFor();
    for (const text of [provider.issuer, 'mallory-4711'])
      await page.getByText(text, { exact: true }).waitFor();
    expect(page.url()).toBe(`${url}/sign-in/return`);
    expect(await violations(page.mainFrame())).toEqual([]);
    await page.goto(`${url}/system`);
    await page.getByRole('button', { name: 'Sign in with your organization' }).waitFor();
  });

  it('is asked for again before a secret of Live is shown, and what was typed survives', async () => {
    provider.person = { sub: 'ada', roles: ['operator'] };
    const page = await newPage();
    await signIn(page);
    await page.getByRole('heading', { level: 1, name: 'The instance' }).waitFor();
    await console.service.database.pool.query(
      `UPDATE console_sessions SET signed_in_at = signed_in_at - interval '11 minutes'`,
    );
    await page.goto(`${url}/a/${APP}/live/keys`);
    await page.getByRole('button', { name: 'New pair…' }).click();
    await page.getByLabel('Label').fill('back end of spring');
    const create = page.getByRole('button', { name: 'Create the pair' });
    await create.click();
    const asked = page.getByRole('dialog', { name: 'Sign in again to do this' });
    await asked.waitFor();
    expect(await violations(page.mainFrame())).toEqual([]);
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await asked.waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Label').inputValue()).toBe('back end of spring');

    await create.click();
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      asked.getByRole('button', { name: 'Sign in again' }).click(),
    ]);
    await other.getByRole('heading', { level: 1, name: 'The instance' }).waitFor();
    await page.getByRole('dialog', { name: 'Store this secret now' }).waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { level: 2, name: 'back end of spring' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
