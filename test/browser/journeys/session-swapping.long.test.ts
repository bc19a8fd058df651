import { randomUUID } from 'node:crypto';
import { CountryCode, Products } from 'plaid';
import type { Page } from 'playwright-core';
import { openHostedPage } from '../../support/actors/hosted-page.js';
import { operate } from '../../support/actors/operator.js';
import { plaidClient } from '../../support/actors/plaid-client.js';
import { eventually } from '../../support/assertions/eventually.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';
import { OAUTH_BANK } from './support/at-the-banks.js';
import type { Person } from './support/person.js';
import { describeJourneys } from './support/stage.js';

/**
 * connect 7, "Session swapping", in the browsers of two people, and the honest returns that look
 * similar.
 */
describeJourneys('The return from a bank', (stage) => {
  const truth = new StoredTruth(() => stage.service.info.database_url);

  const atTheRedirect = async (
    fields: Record<string, unknown>,
    sdk: Record<string, unknown> = {},
  ): Promise<Person> => {
    const token = await stage.session({
      ...('existing_link_id' in fields ? {} : { institution_id: OAUTH_BANK }),
      ...fields,
    });
    return stage.open(token, { page: await stage.newPage({}), sdk });
  };

  /** The address of the bank that a person was redirected to and did not open. */
  const bankAddressOf = async (person: Person): Promise<string> => {
    const { page } = person;
    await page
      .context()
      .route('**/*', (route) =>
        route.request().isNavigationRequest() && route.request().frame().page() !== page
          ? route.abort()
          : route.continue(),
      );
    const starting = page.waitForResponse((response) => response.url().endsWith('/oauth/start'));
    await person.press(/OAuth Bank/);
    return ((await (await starting).json()) as { authorize_url: string }).authorize_url;
  };

  /** Signs in and approves at an address of the bank in a browser of its own, up to the page that it leads to. */
  const signInElsewhere = async (address: string): Promise<Page> => {
    const page = await stage.newPage({});
    await page.goto(address);
    await page.getByRole('button', { name: 'Approve' }).click();
    return page;
  };

  const link = async (userId: string): Promise<string> => {
    const person = await atTheRedirect({ customer_user: { id: userId } });
    const opening = person.page.context().waitForEvent('page');
    await person.press(/^Continue to OAuth Bank/);
    await (await opening).getByRole('button', { name: 'Approve' }).click();
    await person.allowAndShare();
    const { payload } = await person.ending();
    const { body } = await stage.app.exchange(String(payload['exchangeable_token']), {
      expected_customer_user_id: userId,
    });
    return body.link_id;
  };

  const credentialOf = async (linkId: string) =>
    (
      await truth.rows<{ sealed: string }>(
        `SELECT encode(c.sealed, 'hex') AS sealed FROM provider_credentials c
           JOIN links l ON l.pk = c.link_pk WHERE l.link_id = $1`,
        [linkId],
      )
    )[0]?.sealed;

  it('gives the sender of a bank address nothing, and changes the link of its user only when the app confirms it', async () => {
    const user = `owner-${randomUUID()}`;
    const linkId = await link(user);
    const before = await credentialOf(linkId);
    const sender = await atTheRedirect({ existing_link_id: linkId });
    await sender.sees(/OAuth Bank/);

    const landed = await signInElsewhere(await bankAddressOf(sender));
    const other = await stage.person(landed);
    await other.allowAndShare();
    const { name, payload } = await other.ending();
    expect({ name, mode: payload['mode'], accounts: payload['accounts'] }).toEqual({
      name: 'success',
      mode: 'relink',
      accounts: [],
    });
    await sender.sees('Continued in another window');
    expect(await credentialOf(linkId)).toBe(before);

    // The back end of the app names the user who is signed in there.
    const confirm = (id: string) =>
      stage.app.exchange(String(payload['confirmation_token']), { expected_customer_user_id: id });
    expect(await confirm('the person who signed in')).toMatchObject({ status: 403 });
    expect(await credentialOf(linkId)).toBe(before);
    // The same steps on a second device of the same user.
    expect(await confirm(user)).toMatchObject({ status: 201, body: { link_id: linkId } });
    expect(await credentialOf(linkId)).not.toBe(before);
  });

  it('does not change a link whose owner extended it and forwarded the address of the bank', async () => {
    const user = `extender-${randomUUID()}`;
    const update = ['apps', 'update', stage.service.app.app_id];
    await operate(stage.service.dataDir, ...update, '--feature', 'duplicate_institution_warning');
    const linkId = await link(user);
    const before = await credentialOf(linkId);
    const sender = await atTheRedirect({
      customer_user: { id: user },
      connect_features: { duplicate_institution_warning: true },
    });
    await sender.frame.getByRole('radio').first().check();
    await sender.press('Continue');
    await sender.sees(/OAuth Bank/);
    const other = await stage.person(await signInElsewhere(await bankAddressOf(sender)));
    await other.allowAndShare();
    const { payload } = await other.ending();
    expect(payload).toMatchObject({ mode: 'relink', existing_link_id: linkId });
    expect(await credentialOf(linkId)).toBe(before);
    expect(await stage.app.exchange(String(payload['confirmation_token']))).toMatchObject({
      status: 403,
    });
  });

  it('asks a person to start again who returns to the hosted page from another browser', async () => {
    const { client_id: clientId, client_secret: secret } = stage.service.app.sandbox;
    const plaid = plaidClient(stage.service.info.base_url, {
      'PLAID-CLIENT-ID': clientId,
      'PLAID-SECRET': secret,
    });
    const { data } = await plaid.linkTokenCreate({
      client_name: 'Piggy Bank',
      language: 'en',
      country_codes: [CountryCode.Us],
      user: { client_user_id: 'sender' },
      products: [Products.Transactions],
      institution_id: 'ins_127287',
      hosted_link: {},
    });
    const page = await stage.newPage({});
    await openHostedPage(page, data.hosted_link_url ?? '');
    const sender = await stage.person(page);
    await sender.sees(/OAuth Bank/);
    const landed = await signInElsewhere(await bankAddressOf(sender));
    await landed.waitForURL(`${stage.service.info.connect_base_url}/hosted`);
    await landed.getByText('start again', { exact: false }).first().waitFor();
    const {
      data: { link_sessions: [session] = [] },
    } = await plaid.linkTokenGet({ link_token: data.link_token });
    expect(session?.results).toBeNull();
    // The address cannot be opened there, either.
    await landed.goto('about:blank');
    await openHostedPage(landed, data.hosted_link_url ?? '');
    await landed.getByRole('heading', { name: 'This page can’t be opened' }).waitFor();
  });

  it.each([
    ['in the same tab', 'same'],
    ['through a popup', 'popup'],
  ] as const)('repairs a link %s without a confirmation, as before', async (_, oauthWindow) => {
    const user = `same-${randomUUID()}`;
    const linkId = await link(user);
    const before = await credentialOf(linkId);
    const person = await atTheRedirect({ existing_link_id: linkId }, { oauthWindow });
    await person.sees(/OAuth Bank/);
    const bank =
      oauthWindow === 'same'
        ? (await person.press(/OAuth Bank/), person.page)
        : await (async () => {
            const opening = person.page.context().waitForEvent('page');
            await person.press(/OAuth Bank/);
            return opening;
          })();
    await bank.getByRole('button', { name: 'Approve' }).click();
    // In the same tab, the SDK of the return page continues with the token that it kept.
    if (oauthWindow === 'same') await person.page.waitForURL('**/bank-return?oauth_state_id=*');
    // The frame may be gone by now; the page has heard its end.
    const { name, payload } = await person.ending();
    expect({
      name,
      mode: payload['mode'],
      hasConfirmationToken: 'confirmation_token' in payload,
    }).toEqual({ name: 'success', mode: 'relink', hasConfirmationToken: false });
    await eventually(async () => expect(await credentialOf(linkId)).not.toBe(before));
  });
});
