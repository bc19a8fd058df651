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
  ],
};
export default UNTIDY;
