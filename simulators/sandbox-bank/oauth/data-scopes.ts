/** The scopes that a third party may request, in the words of the bank's page. */
export const DATA_SCOPES = {
  accounts: 'Your accounts and their balances',
  transactions: 'What you paid and received',
  account_numbers: 'Account and routing numbers',
  owners: 'Your name and contact details',
  investments: 'Your holdings and trades',
  liabilities: 'Your debts and their due payments',
} as const;
