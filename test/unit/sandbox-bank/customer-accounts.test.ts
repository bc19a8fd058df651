import {
  accountNumbersOf,
  accountsOf,
} from '../../../simulators/sandbox-bank/accounts/accounts.js';
import { ownersOf } from '../../../simulators/sandbox-bank/accounts/owners.js';
import type { Customer } from '../../../simulators/sandbox-bank/customers/customer.js';
import { findInstitution } from '../../../simulators/sandbox-bank/institutions/institutions.js';
import { transactionPage } from '../../../simulators/sandbox-bank/transactions/transaction-page.js';
import { customerOf, institution, NOW } from './support/customers.js';

describe('The accounts of Credentials Bank', () => {
  it('are the three of link-lifecycle 13.2', () => {
    const shown = accountsOf(customerOf('user_good'), NOW).map(
      ({ product, number_last4, balances }) => [
        product,
        number_last4,
        balances.available,
        balances.current,
        balances.credit_limit,
      ],
    );
    expect(shown).toEqual([
      ['CHECKING', '1101', '2210.52', '2350.00', null],
      ['SAVINGS', '2202', '8400.00', '8400.00', null],
      ['CREDIT_CARD', '3303', '4587.63', '412.37', '5000.00'],
    ]);
    const numbers = accountNumbersOf(customerOf('user_good')).map(
      ({ account_number, routing_number }) => [account_number, routing_number],
    );
    expect(numbers).toEqual([
      ['100020001101', '999000014'],
      ['100020002202', '999000014'],
    ]);
  });

  it('have one owner, the same in every fetch', () => {
    const [owner, ...others] = ownersOf(customerOf('user_good'));
    expect(others).toEqual([]);
    expect(owner?.account_ids).toHaveLength(3);
    expect(owner).toMatchObject({
      names: [expect.stringContaining(' ')],
      emails: [{ address: expect.stringContaining('@example.com') }],
    });
    expect(ownersOf(customerOf('user_good'))).toEqual([owner]);
  });

  it('keep their ids for one person, and share none with another person, world or bank', () => {
    const idsOf = (customer: Customer) =>
      accountsOf(customer, NOW).map(({ account_id }) => account_id);
    const mine = idsOf(customerOf('user_good'));
    expect(idsOf(customerOf('user_good', { accountKeys: ['rainy-day-savings'] }))).toEqual([
      mine[1],
    ]);
    const others = [
      customerOf('auth_expires'),
      customerOf('user_good', { worldId: 'wld_2' }),
      customerOf('user_good', { customerReference: 'user-2' }),
      customerOf('user_good', {
        institution: findInstitution('sandbox-oauth-bank') ?? institution,
      }),
    ];
    for (const other of others) expect(idsOf(other).filter((id) => mine.includes(id))).toEqual([]);
  });

  it('are empty for no_accounts, who has no rows and no owner either', () => {
    const no_one = customerOf('no_accounts');
    expect({
      accounts: accountsOf(no_one, NOW),
      owners: ownersOf(no_one),
      numbers: accountNumbersOf(no_one),
    }).toEqual({ accounts: [], owners: [], numbers: [] });
    expect(
      transactionPage(
        no_one,
        { first: 0, last: 30_000, size: 10, after: null, fetchDays: [] },
        NOW,
      ),
    ).toEqual({ transactions: [], end: null });
  });

  it('show rows only of shared accounts', () => {
    const request = { first: 20_000, last: 20_513, size: 1_000, after: null, fetchDays: [] };
    const all = transactionPage(customerOf('user_good'), request, NOW).transactions;
    const card = transactionPage(
      customerOf('user_good', { accountKeys: ['rewards-card'] }),
      request,
      NOW,
    ).transactions;
    const cardId = accountsOf(customerOf('user_good'), NOW)[2]?.account_id;
    expect(card.length).toBeGreaterThan(50);
    expect(card).toEqual(all.filter(({ account_id }) => account_id === cardId));
    expect(
      all
        .filter(({ account_id }) => account_id === cardId)
        .every(({ direction }) => direction === 'OUT'),
    ).toBe(true);
  });
});
