import { app, sandbox, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
import { errorOf } from '../../support/services/api-client.js';

serviceOfFile();

const broker = {
  account_type: 'investment.brokerage',
  name: 'Broker',
  account_number: '1',
  balances: { current: 120 },
};
const card = {
  account_type: 'liability.credit_card',
  name: 'Card',
  account_number: '2',
  balances: { current: 40, limit: 500, available: 460 },
};
const security = { symbol: 'EXMP', isin: 'US0378331005', type: 'equity' };

describe('custom_sandbox_data', () => {
  it('gives a link of user_custom the holdings, trades and debts that it states', async () => {
    const { link_id: linkId } = await sandbox.link({
      username: 'user_custom',
      customer_user: { id: 'own-portfolio' },
      settings: { products: ['accounts', 'investments', 'liabilities'] },
      custom_sandbox_data: {
        accounts: [broker, card],
        holdings: [{ account: 0, security, quantity: '2.5', price: '40', cost_basis: 90 }],
        investment_transactions: [
          {
            account: 0,
            security,
            type: 'buy',
            date: new Date().toISOString().slice(0, 10),
            quantity: '2.5',
            price: '36',
            amount: -90,
          },
        ],
        liabilities: [{ account: 1, next_payment: { due_on: '2026-04-01', amount: 25 } }],
      },
    });
    expect(await app.get(`/links/${linkId}/holdings`)).toMatchObject({
      holdings: [{ quantity: '2.5', price: '40', value: 100, cost_basis: 90 }],
      securities: [{ symbol: 'EXMP', isin: 'US0378331005', type: 'equity' }],
      accounts: [{ balance: 120, holdings_value: 100, cash: { amount: 20 } }],
    });
    expect(await app.get(`/links/${linkId}/investment-transactions/sync`)).toMatchObject({
      investment_transactions: {
        created: [{ type: 'buy', quantity: '2.5', amount: -90, currency: 'USD' }],
      },
    });
    expect(await app.get(`/links/${linkId}/liabilities`)).toMatchObject({
      liabilities: [
        {
          kind: 'credit',
          balance: 40,
          limit: 500,
          available: 460,
          next_payment: { due_on: '2026-04-01', amount: 25 },
          statement: null,
        },
      ],
    });
  });

  const holding = { account: 0, security, quantity: '1' };
  it.each<[string, object]>([
    ['holdings.0.quantity', { holdings: [{ ...holding, quantity: 1 }] }],
    ['holdings.0.account', { holdings: [{ ...holding, account: 1 }] }],
    ['holdings.0.account', { holdings: [{ ...holding, account: 2 }] }],
    [
      'holdings.0.security.isin',
      { holdings: [{ ...holding, security: { isin: 'US0378331006' } }] },
    ],
    [
      'investment_transactions.0.amount',
      { investment_transactions: [{ ...holding, type: 'buy', date: '2026-01-01' }] },
    ],
    ['liabilities.0.account', { liabilities: [{ account: 0 }] }],
    ['liabilities.1.account', { liabilities: [{ account: 1 }, { account: 1 }] }],
  ])('is rejected at %j', async (place, parts) => {
    const response = await sandbox.send('POST', '/sandbox/link', {
      username: 'user_custom',
      custom_sandbox_data: { accounts: [broker, card], ...parts },
    });
    expect(errorOf(response)).toEqual({
      status: 422,
      code: 'api_error.request.validation_failed',
      locations: [`body.custom_sandbox_data.${place}`],
    });
  });
});
