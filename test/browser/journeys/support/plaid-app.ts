import type { Locator, Page } from 'playwright-core';
import { startExample, type RunningExample } from '../../../support/services/start-example.js';
import type { Person } from './person.js';
import { describeJourneys, type JourneyStage } from './stage.js';

/** The example app in a page, with the addresses that it requested from other computers. */
interface OpenedPlaidApp {
  page: Page;
  person: Person;
  elsewhere: string[];
}

interface PlaidStage extends JourneyStage {
  /** Opens the app, and acts in it until Connect is open. */
  opened(act: (page: Page) => Promise<void>): Promise<OpenedPlaidApp>;
}

/**
 * A group of tests with plaid-compat 10: the published react-plaid-link, in a page of another origin
 * that loads our script.
 */
export function describePlaidApp(tests: (stage: PlaidStage) => void): void {
  describeJourneys('An app made for Plaid', (stage) => {
    let app: RunningExample;
    beforeAll(async () => {
      const { base_url: baseUrl, connect_base_url: connectBaseUrl } = stage.service.info;
      const { client_id: clientId, client_secret: secret } = stage.service.app.sandbox;
      app = await startExample('examples/plaid-app/server.mjs', /Plaid: (\S+)\n/, {
        NODE_ENV: 'production',
        PLAID_BASE_URL: baseUrl,
        CONNECT_BASE_URL: connectBaseUrl,
        PLAID_CLIENT_ID: clientId,
        PLAID_SECRET: secret,
      });
    });
    afterAll(() => app?.stop());

    const opened: PlaidStage['opened'] = async (act) => {
      const page = await stage.newPage();
      const elsewhere: string[] = [];
      page.on('request', (request) => {
        if (!/^(localhost|127\.0\.0\.1)$/.test(new URL(request.url()).hostname))
          elsewhere.push(request.url());
      });
      await page.goto(app.url);
      await act(page);
      return { page, person: await stage.person(page), elsewhere };
    };
    tests(Object.assign(stage, { opened }));
  });
}

export const connect = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Connect a bank' }).click();

/** Waits until the app shows the words. */
export const said = (page: Page, words: string): Promise<void> =>
  page.getByRole('status').getByText(words).waitFor();

/** The Item as the app shows it, once its data is available. */
export async function withData(page: Page, bank: string): Promise<Locator> {
  const item = page.getByRole('article', { name: bank });
  await page.waitForFunction(
    (name) => {
      const text = document.querySelector(`article[aria-label="${name}"]`)?.textContent ?? '';
      if (/Belongs to .+[1-9]\d* transactions/.test(text)) return true;
      [...document.querySelectorAll('button')]
        .find((button) => button.textContent === 'Refresh')
        ?.click();
      return false;
    },
    bank,
    { polling: 250 },
  );
  return item;
}
