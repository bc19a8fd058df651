import {
  ONLY_PART,
  WHOLE_ANSWER,
  type UntidySubject,
} from '../../../conformance/untidy/untidy-subject.js';

const LAST_PAGE = 'A listing without it has ended.';

const UNTIDY: UntidySubject = {
  remoteId: 'plain-fdx',
  long: 'wealth-fdx',
  pageSize: { name: 'limit', sizes: { accounts: 1, transactions: 3 } },
  exceptions: [
    { place: '/accounts', reason: WHOLE_ANSWER },
    { place: '/accounts accounts', reason: ONLY_PART },
    { place: '/accounts page', reason: LAST_PAGE },
    { place: '/accounts page.nextOffset', reason: LAST_PAGE },
    { place: '/accounts/{id}/transactions page', reason: LAST_PAGE },
    {
      place: '/accounts/{id}/transactions page.nextOffset',
      reason: LAST_PAGE,
    },
    {
      place: '/accounts/{id}/transactions transactions[].postedTimestamp',
      reason: 'A row of a day before the window is not one of the window.',
    },
    {
      place: '/accounts/{id}/payment-networks paymentNetworks[].type',
      reason: 'Another type is that of a network which money does not take.',
    },
  ],
};
export default UNTIDY;
