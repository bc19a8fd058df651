import { plaidClient } from '../../support/actors/plaid-client.js';
import type { Person } from './support/person.js';
import { connect, describePlaidApp, said, withData } from './support/plaid-app.js';

describePlaidApp((stage) => {
  it("links OAuth Bank through the bank's own page, breaks the link and repairs it", async () => {
    const atBank = async (person: Person) => {
      await person.sees('You’ll sign in at OAuth Bank');
      const opening = person.page.context().waitForEvent('page');
      await person.press(/^Continue to OAuth Bank/);
      const bank = await opening;
      await bank.getByRole('button', { name: 'Approve' }).click();
    };
    const { page, person } = await stage.opened(connect);
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
    const { page, person } = await stage.opened(async (app) => {
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
