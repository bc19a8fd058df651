import { CountryCode, Products, type LinkTokenCreateRequest } from 'plaid';
import { pressToOpen } from '../../support/actors/hosted-page.js';
import { plaidClient } from '../../support/actors/plaid-client.js';
import { Person } from './support/person.js';
import { describeJourneys } from './support/stage.js';

/**
 * plaid-compat 7 and 10.3: no SDK and no page of the app; banks redirect the user to our hosted
 * page.
 */
describeJourneys('A hosted Link token', (stage) => {
  const plaid = () => {
    const { client_id: clientId, client_secret: secret } = stage.service.app.sandbox;
    return plaidClient(stage.service.info.base_url, {
      'PLAID-CLIENT-ID': clientId,
      'PLAID-SECRET': secret,
    });
  };
  const request = (over: object = {}): LinkTokenCreateRequest => ({
    client_name: 'Piggy Bank',
    language: 'de',
    country_codes: [CountryCode.Us],
    user: { client_user_id: 'hosted-user' },
    products: [Products.Auth, Products.Transactions],
    ...over,
  });

  it('shows its language, returns from OAuth Bank and delivers the result to the back end', async () => {
    const completion = `${stage.pages.origin}/bank-return?from=connect`;
    const { data: made } = await plaid().linkTokenCreate(
      request({
        institution_id: 'ins_127287',
        hosted_link: { completion_redirect_uri: completion },
      }),
    );
    const page = await stage.newPage();
    await page.goto(made.hosted_link_url ?? 'about:blank');
    await page.getByRole('button').waitFor();
    // The token is removed from the address at once.
    expect(page.url()).toBe(`${stage.service.info.connect_base_url}/hosted`);
    await pressToOpen(page);
    const person = await Person.at(page, stage.service.info.connect_base_url);
    await person.sees('Sie melden sich bei OAuth Bank an');
    const opening = page.context().waitForEvent('page');
    await person.press(/OAuth Bank/);
    await (await opening).getByRole('button', { name: 'Approve' }).click();
    await person.sees(/Piggy Bank/);
    await person.press('Erlauben');
    await person.press(/teilen$/);
    await page.waitForURL(completion);

    const {
      data: { link_sessions: [session] = [] },
    } = await plaid().linkTokenGet({ link_token: made.link_token });
    const [added] = session?.results?.item_add_results ?? [];
    expect(added?.institution).toEqual({ institution_id: 'ins_127287', name: 'OAuth Bank' });
    const {
      data: { access_token: token },
    } = await plaid().itemPublicTokenExchange({ public_token: added?.public_token ?? '' });
    expect((await plaid().itemGet({ access_token: token })).data.item.institution_id).toBe(
      'ins_127287',
    );
  });
});
