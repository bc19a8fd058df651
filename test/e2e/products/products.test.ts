import { representatives } from '../../support/runner/representatives.js';
import { answerQuestions } from '../../support/actors/answer-questions.js';
import {
  chooseCredentialsBank,
  linkCredentialsBank,
  signIn,
} from '../../support/actors/credentials-journey.js';
import { expectStatus } from '../../support/actors/link-journey.js';
import { linkInstantBank } from '../../support/actors/link-instant-bank.js';
import type { AccountBody, LinkBody } from '../../support/actors/response-bodies.js';
import { chooseOAuthBank, goThroughOAuthBank } from '../../support/actors/oauth-journey.js';
import { app, truth, serviceOfFile } from '../../support/fixtures/sandbox-service.js';

const PRODUCTS = ['accounts', 'account_numbers', 'identity', 'transactions'];
const ALL_AT_ONCE = {
  products_settings: {
    account_numbers: { prefetch: true },
    identity: { prefetch: true },
    transactions: { prefetch: true },
  },
};

interface DetailedAccount extends AccountBody {
  numbers?: {
    ach: Record<string, string | null>[];
    eft: unknown[];
    bacs: unknown[];
    international: unknown[];
  };
  owners?: {
    names: string[];
    addresses: Record<string, unknown>[];
    phone_numbers: Record<string, unknown>[];
    emails: Record<string, unknown>[];
  }[];
}

serviceOfFile();

const read = async (linkId: string, what: string) =>
  app.get<{ accounts: DetailedAccount[]; link: LinkBody }>(`/links/${linkId}/${what}`);
const numbersOf = async (linkId: string) =>
  Object.fromEntries(
    (await read(linkId, 'accounts/numbers')).accounts.map(({ name, numbers }) => [name, numbers]),
  );
const fetched = async (linkId: string) => {
  for (const product of PRODUCTS) await app.untilRefreshed(linkId, product);
};
const checking = (accountNumber: string) => ({
  ach: [{ account_number: accountNumber, routing_number: '999000014', wire_routing_number: null }],
  eft: [],
  bacs: [],
  international: [],
});

const BANKS: Record<string, { link: () => Promise<string>; accounts: string[] }> = {
  'Instant Bank': {
    link: async () => (await linkInstantBank(app, ALL_AT_ONCE)).linkId,
    accounts: ['Everyday Checking', 'Rainy Day Savings'],
  },
  'Credentials Bank': {
    link: async () => (await linkCredentialsBank(app, 'user_good', ALL_AT_ONCE)).linkId,
    accounts: ['Everyday Checking', 'Rainy Day Savings', 'Rewards Card'],
  },
  'OAuth Bank': {
    link: async () => {
      const { visit } = await chooseOAuthBank(app, ALL_AT_ONCE);
      await goThroughOAuthBank(visit);
      return (await expectStatus(201, app.exchange((await visit.finish()).exchangeable_token)))
        .link_id;
    },
    accounts: ['Everyday Checking', 'Rainy Day Savings', 'Rewards Card'],
  },
};

describe.each(representatives(Object.entries(BANKS), ([bank]) => bank === 'OAuth Bank'))(
  'The four products at %s (link-lifecycle 15, check 1)',
  (_, { link, accounts }) => {
    it('are fetched after linking, and each is announced once', async () => {
      const linkId = await link();
      await fetched(linkId);
      expect(await app.link(linkId)).toMatchObject({
        products: Object.fromEntries(PRODUCTS.map((product) => [product, { error_code: null }])),
        available_products: [],
      });
      expect(Object.keys((await app.link(linkId)).products)).toEqual(PRODUCTS);
      const story = await truth.story(linkId);
      for (const product of PRODUCTS)
        expect(story.filter((event) => event === `${product} completed`)).toHaveLength(1);

      expect(await numbersOf(linkId)).toEqual({
        'Everyday Checking': checking('100020001101'),
        'Rainy Day Savings': checking('100020002202'),
      });
      const identity = await read(linkId, 'identity');
      expect(identity.accounts.map(({ name }) => name)).toEqual(accounts);
      const [first] = identity.accounts;
      expect(first?.owners).toEqual([
        {
          names: [expect.stringMatching(/^\w+ \w+$/)],
          addresses: [
            {
              street: expect.any(String),
              city: expect.any(String),
              region: expect.any(String),
              postal_code: expect.any(String),
              country: 'US',
              primary: true,
            },
          ],
          phone_numbers: [
            { number: expect.stringMatching(/^\+1\d{10}$/), primary: true, type: 'mobile' },
          ],
          emails: [{ address: expect.stringMatching(/@example\.com$/), primary: true }],
        },
      ]);
      for (const { owners } of identity.accounts) expect(owners).toEqual(first?.owners);
      expect(Object.keys(first ?? {})).not.toContain('numbers');
    });
  },
);

describe('A product that was not fetched', () => {
  it('is granted and empty', async () => {
    const { linkId } = await linkInstantBank(app, {
      products_settings: { account_numbers: {}, identity: {} },
    });
    expect(await read(linkId, 'accounts/numbers')).toMatchObject({
      accounts: [],
      link: { products: { account_numbers: { refreshed_at: null, last_attempted_at: null } } },
    });
    expect((await read(linkId, 'identity')).accounts).toMatchObject([
      { name: 'Everyday Checking', owners: [] },
      { name: 'Rainy Day Savings', owners: [] },
    ]);
  });

  it('is refused when the user declined it', async () => {
    const { visit } = await chooseCredentialsBank(app, ALL_AT_ONCE);
    expect(await signIn(visit, 'user_good')).toMatchObject({
      step: { kind: 'consent', products: PRODUCTS.map((product) => ({ product })) },
    });
    await visit.answer({ kind: 'consent', granted: ['accounts', 'identity'] });
    await answerQuestions(visit);
    const { link_id: linkId, link } = await expectStatus(
      201,
      app.exchange((await visit.finish()).exchangeable_token),
    );
    expect(Object.keys(link.products)).toEqual(['accounts', 'identity']);
    await app.untilRefreshed(linkId, 'identity');
    for (const what of ['accounts/numbers', 'transactions']) {
      expect(await app.call('GET', `/links/${linkId}/${what}`)).toMatchObject({
        status: 403,
        body: { error_code: 'link_error.forbidden_action' },
      });
    }
  });
});

describe('An account that is not shared', () => {
  it('appears in no response', async () => {
    const { visit } = await chooseCredentialsBank(app, ALL_AT_ONCE);
    await signIn(visit, 'user_good');
    await visit.answer({ kind: 'consent', granted: PRODUCTS });
    await visit.answer({ kind: 'select_accounts', refs: ['a2', 'a3'] });
    const { link_id: linkId } = await expectStatus(
      201,
      app.exchange((await visit.finish()).exchangeable_token),
    );
    await fetched(linkId);
    expect(await numbersOf(linkId)).toEqual({ 'Rainy Day Savings': checking('100020002202') });
    expect((await read(linkId, 'identity')).accounts.map(({ name }) => name)).toEqual([
      'Rainy Day Savings',
      'Rewards Card',
    ]);
    const [hidden] = await truth.rows<{ account_id: string }>(
      "SELECT a.account_id FROM accounts a JOIN links l ON l.pk = a.link_pk WHERE l.link_id = $1 AND a.name = 'Everyday Checking'",
      [linkId],
    );
    for (const what of ['accounts', 'accounts/numbers', 'identity']) {
      expect(await read(linkId, `${what}?account_ids=${hidden?.account_id}`)).toMatchObject({
        accounts: [],
      });
    }
    expect(await app.call('GET', `/links/${linkId}/accounts/${hidden?.account_id}`)).toMatchObject({
      status: 404,
    });
  });
});

describe('A link of user_custom', () => {
  const account = (name: string, over: Record<string, unknown> = {}) => ({
    account_type: 'depository.checking',
    name,
    account_number: '000012345678',
    ...over,
  });

  it("has the owners and numbers of the session's sandbox data", async () => {
    const owner = {
      names: ['Ann Example', 'A. Example'],
      addresses: [{ street: '1 First Street', city: 'Springfield', primary: true }],
      phone_numbers: [{ number: '(614) 555-0142', primary: true, type: 'home' }],
      emails: null,
    };
    const data = {
      accounts: [
        account('One'),
        account('Two', { account_number: '777', routing_number: '021000021' }),
      ],
      owners: [owner, { emails: [{ address: 'bob@mail.example' }] }],
    };
    const { linkId } = await linkCredentialsBank(app, 'user_custom', {
      ...ALL_AT_ONCE,
      custom_sandbox_data: data,
    });
    await fetched(linkId);
    expect(await numbersOf(linkId)).toMatchObject({
      One: checking('000012345678'),
      Two: { ach: [{ account_number: '777', routing_number: '021000021' }] },
    });
    const owners = [
      {
        names: ['Ann Example', 'A. Example'],
        addresses: [
          {
            street: '1 First Street',
            city: 'Springfield',
            region: null,
            postal_code: null,
            country: null,
            primary: true,
          },
        ],
        phone_numbers: [{ number: '+16145550142', primary: true, type: 'home' }],
        emails: [],
      },
      {
        names: [],
        addresses: [],
        phone_numbers: [],
        emails: [{ address: 'bob@mail.example', primary: false }],
      },
    ];
    expect((await read(linkId, 'identity')).accounts.map((one) => one.owners)).toEqual([
      owners,
      owners,
    ]);
  });
});

describe('The sealed data of a link', () => {
  it('leaves no account number in any table, and nothing after the link is deleted', async () => {
    const data = {
      accounts: [
        { account_type: 'depository.savings', name: 'Canary', account_number: '48151623420815' },
      ],
      owners: [{ names: ['Canary Owner'] }],
    };
    const { linkId } = await linkCredentialsBank(app, 'user_custom', {
      ...ALL_AT_ONCE,
      custom_sandbox_data: data,
    });
    await fetched(linkId);
    expect(JSON.stringify(await numbersOf(linkId))).toContain('48151623420815');
    // The session stored custom_sandbox_data as received, and erased it when it ended.
    expect(
      Object.entries(await truth.dump())
        .filter(([, text]) => text.includes('48151623420815'))
        .map(([table]) => table),
    ).toEqual([]);
    expect((await app.call('DELETE', `/links/${linkId}`)).status).toBe(204);
    const after = await truth.dump();
    expect(after['public.account_owners']).not.toContain('Canary Owner');
  });
});
