import {
  ONLY_PART,
  WHOLE_ANSWER,
  type UntidySubject,
} from '../../../conformance/untidy/untidy-subject.js';

const OTHER_ACCOUNT = 'Another text names another account, which the user may not have shared.';
const OWN_BANK = 'It is our own bank: the fetch fails, and nothing changes.';

const UNTIDY: UntidySubject = {
  remoteId: 'sandbox-instant-bank',
  pageSize: { name: 'page_size', sizes: { transactions: 12 } },
  exceptions: [
    { place: '/connections/{id}/accounts', reason: WHOLE_ANSWER },
    { place: '/connections/{id}/accounts accounts', reason: ONLY_PART },
    { place: '/connections/{id}/account-numbers', reason: WHOLE_ANSWER },
    { place: '/connections/{id}/account-numbers account_numbers', reason: ONLY_PART },
    {
      place: '/connections/{id}/account-numbers account_numbers[].account_id',
      reason: OTHER_ACCOUNT,
    },
    { place: '/connections/{id}/owners', reason: WHOLE_ANSWER },
    { place: '/connections/{id}/owners owners', reason: ONLY_PART },
    { place: '/connections/{id}/owners owners[].account_ids[]', reason: OTHER_ACCOUNT },
    { place: '/connections/{id}/transactions', reason: WHOLE_ANSWER },
    { place: '/connections/{id}/transactions transactions', reason: ONLY_PART },
    { place: '/connections/{id}/transactions transactions[].account_id', reason: OTHER_ACCOUNT },
    { place: '/connections/{id}/transactions covered', reason: OWN_BANK },
    { place: '/connections/{id}/transactions covered.from', reason: OWN_BANK },
    { place: '/connections/{id}/transactions covered.to', reason: OWN_BANK },
    { place: '/connections/{id}/holdings', reason: WHOLE_ANSWER },
    { place: '/connections/{id}/holdings accounts', reason: ONLY_PART },
    { place: '/connections/{id}/holdings holdings', reason: ONLY_PART },
    { place: '/connections/{id}/holdings accounts[].account_id', reason: OTHER_ACCOUNT },
    { place: '/connections/{id}/holdings holdings[].account_id', reason: OTHER_ACCOUNT },
    { place: '/connections/{id}/investment-transactions', reason: WHOLE_ANSWER },
    { place: '/connections/{id}/investment-transactions transactions', reason: ONLY_PART },
    {
      place: '/connections/{id}/investment-transactions transactions[].account_id',
      reason: OTHER_ACCOUNT,
    },
    { place: '/connections/{id}/investment-transactions covered', reason: OWN_BANK },
    { place: '/connections/{id}/investment-transactions covered.from', reason: OWN_BANK },
    { place: '/connections/{id}/investment-transactions covered.to', reason: OWN_BANK },
    { place: '/connections/{id}/liabilities', reason: WHOLE_ANSWER },
    { place: '/connections/{id}/liabilities liabilities', reason: ONLY_PART },
    { place: '/connections/{id}/liabilities liabilities[].account_id', reason: OTHER_ACCOUNT },
  ],
};
export default UNTIDY;
