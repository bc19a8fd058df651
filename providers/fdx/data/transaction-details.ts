import {
  detailsOf,
  MCC,
  type Counterparty,
  type OriginalAmount,
  type TransactionDetails,
} from '../../../domain/transactions/transaction-details.js';
import { readMcc } from '../../http/read-mcc.js';
import type { RemoteObject } from '../../http/remote-object.js';
import type { Moment } from './moment.js';

const MAX_TEXT = 500;
const MAX_REFERENCE = 200;

/**
 * Everything that a row has beyond the fields that people read first. Which of them it has depends
 * on the category of the account and on the version of FDX.
 */
export function transactionDetails(
  row: RemoteObject,
  { payee, happened }: { payee: string | null; happened: Moment | null },
): TransactionDetails {
  const mcc = mccOf(row);
  const counterparty = counterpartyOf(row, payee, mcc);
  return detailsOf({
    counterparty,
    merchant: mcc === null ? null : { name: counterparty.name, mcc },
    remittance: row.plain('memo', MAX_TEXT),
    references: {
      endToEnd: null,
      mandate: null,
      creditor: null,
      checkNumber: checkNumberOf(row),
    },
    original: originalOf(row),
    transactedAt: happened === null ? null : (happened.local ?? `${happened.day}T00:00:00.000`),
  });
}

/** `transactionPayee` of version 6.4 marks shops and people; older versions have `payee`. */
function counterpartyOf(row: RemoteObject, payee: string | null, mcc: string | null): Counterparty {
  const party = row.maybe('transactionPayee', (it) => it.object('transactionPayee'));
  const shop = party?.plain('merchantName', MAX_TEXT) ?? null;
  const person = party?.plain('individualName', MAX_TEXT) ?? null;
  const isShop = shop !== null || mcc !== null;
  return {
    name: shop ?? person ?? payee,
    accountMask: null,
    kind: isShop ? 'business' : person === null ? null : 'person',
  };
}

/** The category of a row is "preferably MCC or SIC"; other texts are names of the bank's own. */
function mccOf(row: RemoteObject): string | null {
  const category = row.any('category');
  const isCode = typeof category === 'string' && MCC.test(category);
  return readMcc(row, 'merchantCategoryCode') ?? (isCode ? readMcc(row, 'category') : null);
}

/** Text, although some banks send a number. */
function checkNumberOf(row: RemoteObject): string | null {
  const given = row.any('checkNumber');
  if (typeof given === 'string') return row.plain('checkNumber', MAX_REFERENCE);
  const number = row.maybe('checkNumber', (it) => it.decimalNumber('checkNumber'));
  return number === null || !number.isInteger() || number.isNegative() ? null : number.toFixed();
}

function originalOf(row: RemoteObject): OriginalAmount | null {
  const amount = row.maybe('foreignAmount', (it) => it.decimalNumber('foreignAmount').abs());
  const currency = row.maybe('foreignCurrency', (it) => it.currency('foreignCurrency'));
  return amount === null || currency === null ? null : { amount, currency, rate: null };
}
