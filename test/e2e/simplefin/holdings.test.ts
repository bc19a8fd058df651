import { readAccountRequest } from '../../../domain/simplefin/account-request.js';
import { SimplefinRowRepository } from '../../../prisma/views/simplefin/simplefin-row.repository.js';
import { encodeCredential } from '../../../providers/simplefin/client/access-url.js';
import { accessWith } from '../../support/fixtures/provider-calls.js';
import { simplefinAt } from '../../support/fixtures/simplefin-server.js';
import { BANK, forceLink, grantProducts } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';
import {
  connectedFinanceApp,
  createToken,
  FinanceApp,
  type SimplefinAccount,
} from './support/finance-app.js';

const USER = 'investor';
/** Of the list of holdings. */
const DAY = '2026-03-06';
/** More than a page. */
const MANY = 501;

apiOfFile();

let linkId: string;
beforeAll(async () => {
  linkId = await importAccounts(['many', 'sold', 'unread']);
  await storeHoldings('many', MANY);
  await storeHoldings('sold', 0);
});

async function importAccounts(names: readonly string[]): Promise<string> {
  const response = await service.api.as(token).post('/links/import', {
    json: {
      customer_user: { id: USER },
      institution_id: BANK,
      accounts: names.map((name) => ({
        account_id: name,
        name,
        type: 'brokerage',
        balances: { currency: 'USD', current: '6650.25', balance_date: '2026-03-06T10:00:00' },
      })),
      transactions: [],
    },
  });
  expect(response.status).toBe(200);
  const { link_id: imported } = response.body as { link_id: string };
  await forceLink(service, imported, { state: 'connected', errorCode: null });
  return imported;
}

/** As a fetch stores them; one that was sold before, too. Its figures have more digits than a number. */
async function storeHoldings(name: string, count: number): Promise<void> {
  const { prisma } = service.database;
  const { pk: accountPk, linkPk } = await prisma.account.findFirstOrThrow({ where: { name } });
  const asOf = new Date(`${DAY}T00:00:00Z`);
  await prisma.linkProduct.updateMany({
    where: { linkPk, product: 'investments' },
    data: { refreshedAt: asOf },
  });
  await prisma.holdingsAccount.create({ data: { accountPk, body: '{}' } });
  const { pk: securityPk } = await prisma.security.create({
    data: {
      securityId: `sct_${name}`,
      appId: 'pocket-ledger',
      environment: 'sandbox',
      institutionId: BANK,
      facts: '{}',
      body: '{"name":"Example Total Market","symbol":"EXTMX","type":"etf"}',
    },
  });
  await prisma.holding.createMany({
    data: Array.from({ length: count + 1 }, (_, place) => ({
      holdingId: `hld_${name}_${place}`,
      accountPk,
      securityPk,
      place,
      quantity: '0.5',
      currency: 'USD',
      rows: 1,
      body: `{"quantity":"0.${place + 1}","value":12345678901234567.${place + 1},"currency":"USD","cost_basis":1234567890123456.78,"price_factor":"1","price_as_of":"${DAY}"}`,
      firstSeen: asOf,
      ended: place === count ? asOf : null,
    })),
  });
}

const named = (accounts: readonly SimplefinAccount[], name: string): SimplefinAccount => {
  const found = accounts.find((account) => account.name === name);
  if (found === undefined) throw new Error(`no account ${name}`);
  return found;
};

describe('Holdings of a finance app', () => {
  it('are left out of links without the product, and their accounts do not state a day', async () => {
    const app = await connectedFinanceApp(service, token, USER);
    const { accounts } = await app.accounts();
    expect(accounts.map(({ holdings, extra }) => ({ holdings, extra }))).toEqual(
      accounts.map(() => ({ holdings: [], extra: { account_type: 'investment.brokerage' } })),
    );
  });

  describe('of a link with the product', () => {
    beforeAll(() => grantProducts(service, linkId, ['investments']));

    it.each(['', '?balances-only=1', '?version=2'])(
      'are listed with every digit, those that are held today, whatever the parameters: %s',
      async (query) => {
        const app = await connectedFinanceApp(service, token, USER);
        const { accounts } = await app.accounts(query);
        const { holdings, extra } = named(accounts, 'many');
        expect(extra).toEqual({ account_type: 'investment.brokerage', holdings_as_of: DAY });
        expect(holdings).toHaveLength(MANY);
        expect(holdings[0]).toEqual({
          id: 'hld_many_0',
          created: Date.parse(`${DAY}T12:00:00Z`) / 1_000,
          symbol: 'EXTMX',
          description: 'Example Total Market',
          shares: '0.1',
          market_value: '12345678901234567.10',
          cost_basis: '1234567890123456.78',
          purchase_price: '12345678901200000',
          currency: 'USD',
          extra: {
            security_type: 'etf',
            price_factor: '1',
            price_as_of: DAY,
            cost_basis: 'total',
          },
        });
        expect(holdings.map((holding) => (holding as { id: string }).id)).toEqual(
          Array.from({ length: MANY }, (_, place) => `hld_many_${place}`),
        );
      },
    );

    it('state a day for an account without any, and none for one that was not read', async () => {
      const app = await connectedFinanceApp(service, token, USER);
      const { accounts } = await app.accounts();
      expect(named(accounts, 'sold')).toMatchObject({
        holdings: [],
        extra: { holdings_as_of: DAY },
      });
      expect(named(accounts, 'unread').extra).not.toHaveProperty('holdings_as_of');
      expect(named(accounts, 'unread').holdings).toEqual([]);
    });

    it('are read by another Tributary as they are stored, with the total as documented', async () => {
      const provider = simplefinAt(service.api.baseUrl);
      const app = new FinanceApp(service.api.baseUrl);
      const { setup_token: setupToken } = await createToken(service, token, USER);
      const { username, password } = new URL(await app.connect(setupToken));
      const origin = service.api.baseUrl.replace('://', `://${username}:${password}@`);
      const credential = encodeCredential(`${origin}/simplefin`);
      const fetched = await provider.fetchHoldings?.(
        accessWith({ credential, reference: 'permission' }, 'us'),
      );
      expect(fetched?.accounts.map(({ balance }) => balance?.toFixed())).toEqual([
        '6650.25',
        '6650.25',
        undefined,
      ]);
      expect(
        fetched?.holdings.map(({ quantity, value, cost, priceAsOf, security: { type } }) =>
          [quantity, value, cost.basis, cost.isTotal, priceAsOf, type].map(String).join(' '),
        ),
      ).toEqual(
        Array.from(
          { length: MANY },
          (_, place) =>
            `${Number(`0.${place + 1}`)} ${`12345678901234567.${place + 1}`.replace(/0+$/, '')} 1234567890123456.78 true ${DAY} etf`,
        ),
      );
    });

    it('count against the size of a response, one account or all', async () => {
      const request = readAccountRequest(new URLSearchParams());
      if (typeof request === 'string') throw new Error(request);
      const rows = new SimplefinRowRepository(service.ctx);
      const access = {
        appId: 'pocket-ledger',
        environment: 'sandbox' as const,
        userId: USER,
        tokenId: 'sft_1',
      };
      const counted = async (accounts: ReadonlySet<string>) =>
        (await rows.count(access, { ...request, accounts }, 90)).holdings;
      expect(await counted(new Set())).toBe(MANY);
      expect(await counted(new Set(['acc_unknown']))).toBe(0);
    });
  });
});
