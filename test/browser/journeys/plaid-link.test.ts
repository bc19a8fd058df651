import type { Locator, Page } from 'playwright-core';
import { plaidClient } from '../../support/actors/plaid-client.js';
import { startExample, type RunningExample } from '../../support/services/start-example.js';
import { Person } from './support/person.js';
import { describeJourneys } from './support/stage.js';

/**
 * plaid-compat 10: the published react-plaid-link, in a page of another origin that loads our
 * script.
 */
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

  async function opened(
    act: (page: Page) => Promise<void>,
  ): Promise<{ page: Page; person: Person; elsewhere: string[] }> {
    const page = await stage.newPage();
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!/^(localhost|127\.0\.0\.1)$/.test(new URL(request.url()).hostname))
        elsewhere.push(request.url());
    });
    await page.goto(app.url);
    await act(page);
    return { page, person: await stage.person(page), elsewhere };
  }
  const connect = (page: Page) => page.getByRole('button', { name: 'Connect a bank' }).click();
  const said = (page: Page, words: string) => page.getByRole('status').getByText(words).waitFor();
  /** The Item as the app shows it, once its data is available. */
  async function withData(page: Page, bank: string): Promise<Locator> {
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

  it('links Credentials Bank and finishes with an exchange', async () => {
    const { page, person, elsewhere } = await opened(connect);
    await person.chooseBank('Credentials Bank');
    await person.signIn('user_good');
    await person.allowAndShare();
    await said(page, 'Credentials Bank is connected.');
    const item = await withData(page, 'Credentials Bank');
    await item.getByText('Everyday Checking 1101').waitFor();
    // The vendor's script was never requested.
    expect(elsewhere).toEqual([]);
  });

  it("links OAuth Bank through the bank's own page, breaks the link and repairs it", async () => {
    const atBank = async (person: Person) => {
      await person.sees('You’ll sign in at OAuth Bank');
      const opening = person.page.context().waitForEvent('page');
      await person.press(/^Continue to OAuth Bank/);
      const bank = await opening;
      await bank.getByRole('button', { name: 'Approve' }).click();
    };
    const { page, person } = await opened(connect);
    await person.chooseBank('OAuth Bank');
    await atBank(person);
    await person.allowAndShare();
    await said(page, 'OAuth Bank is connected.');
    const item = await withData(page, 'OAuth Bank');
    await item.getByRole('button', { name: 'Break' }).click();
    await item.getByText('ITEM_LOGIN_REQUIRED').waitFor();
    await item.getByRole('button', { name: 'Repair' }).click();
    await atBank(await stage.person(page));
    await item
      .getByRole('button', { name: 'Break' })
      .waitFor()
      .catch(async () => {
        throw new Error(
          `The item was not repaired; the page shows: ${await page.locator('body').innerText()}`,
        );
      });
  });

  it('receives the point at which a user left', async () => {
    let token = '';
    const { page, person } = await opened(async (app) => {
      const answered = app.waitForResponse((response) =>
        response.url().endsWith('/api/link-token'),
      );
      await connect(app);
      token = ((await (await answered).json()) as { linkToken: string }).linkToken;
    });
    await person.chooseBank('Credentials Bank');
    await person.signIn('user_good', 'wrong');
    await person.reads('Your bank didn’t accept that sign-in. 2 attempts left.');
    await person.frame.getByRole('button', { name: 'Close' }).click();
    await said(page, 'ITEM_ERROR: INVALID_CREDENTIALS');
    // plaid-compat 7: the back end reads the same error.
    const { base_url: baseUrl } = stage.service.info;
    const { client_id: clientId, client_secret: secret } = stage.service.app.sandbox;
    const {
      data: { link_sessions: [session] = [] },
    } = await plaidClient(baseUrl, {
      'PLAID-CLIENT-ID': clientId,
      'PLAID-SECRET': secret,
    }).linkTokenGet({ link_token: token });
    expect(session?.exit).toMatchObject({
      error: { error_code: 'INVALID_CREDENTIALS' },
      metadata: { status: 'requires_credentials', institution: { name: 'Credentials Bank' } },
    });
  });
});
