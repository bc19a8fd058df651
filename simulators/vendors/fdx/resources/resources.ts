import type { Ledger } from '../../ledger/ledger.js';
import type { FdxInstitution } from '../institutions.js';
import type { Access } from './access.js';
import { FdxError } from './fdx-error.js';
import type { HeldAccount } from './held-account.js';
import type { FdxValue } from './json-number.js';
import { cutPage } from './paging.js';
import { showContact, showCustomer } from './people.js';
import type { Resource } from './resource-server.js';
import { rowsBetween } from './transactions.js';

/** The calls of FDX 6 that a client of account data needs, each with its scope. */
export function fdxResources(
  { maxPageRows, takesDaysOnly, errorCodes }: FdxInstitution,
  ledger: Ledger,
  accountsOf: (access: Access) => readonly HeldAccount[],
): Record<string, Resource> {
  return {
    'GET /customers/current': {
      scope: null,
      show: ({ access }) =>
        showCustomer(ledger.customer(access.customerId), access.has('fdx:customercontact:read')),
    },
    'GET /accounts': {
      scope: 'fdx:accountbasic:read',
      show: ({ access, query }) => {
        const { page, items } = cutPage(accountsOf(access), query, maxPageRows);
        return { page, accounts: items.map((account) => showListed(account, errorCodes)) };
      },
    },
    'GET /accounts/{accountId}': {
      scope: 'fdx:accountdetailed:read',
      show: ({ access, account }) => {
        const held = account();
        if (held.details === null) throw new FdxError(704);
        const balanceAsOf = ledger.now().toISOString();
        const positions = access.has('fdx:investments:read') ? held.positions : undefined;
        return { ...showDescriptor(held), balanceAsOf, ...held.details, ...positions };
      },
    },
    'GET /accounts/{accountId}/transactions': {
      scope: 'fdx:transactions:read',
      show: ({ account, query }) => {
        const held = account();
        if (held.details === null) throw new FdxError(704);
        if (held.inLedger !== null && !query.has('offset')) ledger.startListing(held.inLedger);
        const rows = rowsBetween(held, query, takesDaysOnly);
        const { page, items } = cutPage(rows, query, maxPageRows);
        return { page, transactions: items };
      },
    },
    'GET /accounts/{accountId}/contact': {
      scope: 'fdx:customercontact:read',
      show: ({ access, account }) => {
        account();
        return showContact(ledger.customer(access.customerId));
      },
    },
    'GET /accounts/{accountId}/payment-networks': {
      scope: 'fdx:paymentsupport:read',
      show: ({ account, query }) => {
        const { page, items } = cutPage(paymentNetworksOf(account()), query, maxPageRows);
        return { page, paymentNetworks: items };
      },
    },
  };
}

/** The descriptor, without balances. */
const showDescriptor = (account: HeldAccount): Record<string, FdxValue> => ({
  accountCategory: account.category,
  accountId: account.id,
  accountType: account.accountType,
  accountNumberDisplay: account.mask,
  productName: account.name,
  nickname: account.name,
  status: 'OPEN',
  currency: { currencyCode: account.currency },
});

/** An entry of `/accounts`; an account that is down stays in the list, with its error. */
const showListed = (account: HeldAccount, errorCodes: FdxInstitution['errorCodes']): FdxValue => ({
  ...showDescriptor(account),
  error: account.inLedger?.isDown === true ? new FdxError(501).bodyWith(errorCodes) : undefined,
});

/**
 * The data for a payment to or from the account.
 * @throws FdxError 1107 for an account outside the US payment networks
 */
function paymentNetworksOf({ category, inLedger }: HeldAccount): FdxValue[] {
  const bankId = inLedger?.routingNumber ?? null;
  if (inLedger === null || bankId === null || category !== 'DEPOSIT_ACCOUNT')
    throw new FdxError(1107);
  return ['US_ACH', 'US_RTP'].map((type) => ({
    bankId,
    identifier: inLedger.accountNumber,
    identifierType: 'ACCOUNT_NUMBER',
    type,
    transferIn: true,
    transferOut: true,
  }));
}
