import { decodeCredential } from '../../../providers/enable-banking/client/sealed.js';
import type { ProviderAccess } from '../../../providers/provider.js';
import type { Operation } from './readings.js';

/** A value without which nothing of its scope can be read, or that says something else by being absent. */
export interface Exception {
  /** As in the figures: the resource, and the place in it. */
  place: string;
  operations?: readonly Operation[];
  reason: string;
}

/** How the answers of an adapter's counterpart are changed. */
export interface UntidySubject {
  /** An institution with several accounts; `long`: another one for the whole run. */
  remoteId: string;
  long?: string;
  /** The parameter for the size of a page, and sizes that make several, by the end of the path. */
  pageSize?: { name: string; sizes: Readonly<Record<string, number>> };
  /** Ids of the source that stand for an account beside the provider's own. */
  aliases?(access: ProviderAccess): ReadonlyMap<string, string>;
  exceptions: readonly Exception[];
}

const WHOLE_ANSWER = 'It is the whole answer.';
const ONLY_PART = 'Nothing else of the answer is about an account.';
const LAST_PAGE = 'A listing without it has ended.';
const OTHER_ACCOUNT = 'Another text names another account, which the user may not have shared.';
const OWN_BANK = 'It is our own bank: the fetch fails, and nothing changes.';

export const UNTIDY_SUBJECTS: Readonly<Record<string, UntidySubject>> = {
  sandbox: {
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
      { place: '/connections/{id}/transactions next_page_token', reason: OWN_BANK },
    ],
  },
  simplefin: {
    remoteId: 'us',
    exceptions: [
      { place: '/accounts', reason: WHOLE_ANSWER },
      { place: '/accounts accounts', reason: ONLY_PART },
      {
        place: '/accounts accounts[].currency',
        reason: 'An address in it is that of miles: such an account is left out.',
      },
      {
        place: '/accounts accounts[].transactions',
        operations: ['transactions'],
        reason: 'It is optional in the protocol: missing, it says that there are no rows.',
      },
    ],
  },
  'enable-banking': {
    remoteId: 'DE/Meridian%20Bank',
    aliases: ({ credential }) =>
      new Map(decodeCredential(credential).accounts.map(({ uid, id }) => [uid, id])),
    exceptions: [
      { place: '/sessions/{id}', reason: WHOLE_ANSWER },
      {
        place: '/sessions/{id} status',
        reason: 'Numbers are shown only while the session is known to be authorized.',
      },
      {
        place: '/accounts/{id}/transactions transactions[].entry_reference',
        operations: ['transactions'],
        reason: 'Equal rows under one reference are one row.',
      },
    ],
  },
  fdx: {
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
  },
};
