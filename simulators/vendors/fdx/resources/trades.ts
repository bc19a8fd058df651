// cspell:ignoreRegExp /\b[A-Z0-9]{4,}\b/g
import { dayOf, daysBefore } from '../../ledger/day.js';
import { JsonNumber, type FdxValue } from './json-number.js';

/** One row of an investment account. */
export interface Trade {
  day: string;
  /** ISO 8601 in UTC. */
  instant: string;
  fields: Readonly<Record<string, FdxValue>>;
}

type Fields = Readonly<Record<string, FdxValue>>;

const number = (text: string): JsonNumber => new JsonNumber(text);

const SHARE: Fields = { symbol: 'HRBM', securityType: 'STOCK' };
const FUND: Fields = {
  symbol: 'EXTMX',
  securityId: '99FND0028',
  securityIdType: 'CUSIP',
  securityType: 'MUTUALFUND',
};
const OPTION: Fields = { symbol: 'HRBM  271217C00060000', securityType: 'OPTION' };

const moved = (amount: string, more: Fields = {}): Fields => ({ amount: number(amount), ...more });
const traded = (security: Fields, units: string, price: string, amount: string): Fields => ({
  ...security,
  units: number(units),
  unitPrice: number(price),
  amount: number(amount),
});

/** Every `transactionType` of FDX, with the fields that banks send for it. */
const TRADES: readonly (readonly [type: string, fields: Fields])[] = [
  [
    'PURCHASED',
    {
      ...SHARE,
      shares: number('12'),
      unitPrice: number('50.10'),
      commission: number('4.95'),
      fees: number('0.00'),
      amount: number('606.15'),
    },
  ],
  [
    'SOLD',
    { ...SHARE, shares: number('-5'), unitPrice: number('52.00'), amount: number('260.00') },
  ],
  ['PURCHASEDTOCOVER', traded(SHARE, '4', '51.00', '204.00')],
  ['PURCHASETOOPEN', traded(OPTION, '2', '3.10', '620.00')],
  ['PURCHASETOCLOSE', traded(OPTION, '1', '2.90', '290.00')],
  ['SOLDTOOPEN', traded(OPTION, '3', '4.96', '1488.00')],
  ['SOLDTOCLOSE', traded(OPTION, '2', '3.40', '680.00')],
  ['DIVIDEND', moved('31.20', { ...SHARE, debitCreditMemo: 'CREDIT' })],
  ['DIV', moved('12.75', { ...FUND, incomeType: 'CGLONG', withholding: number('1.25') })],
  ['DIVIDENDREINVEST', traded(FUND, '0.402', '77.61', '31.20')],
  ['REINVESTOFINCOME', traded(FUND, '0.1', '77.61', '7.76')],
  ['INTEREST', moved('4.10')],
  ['MARGININTEREST', moved('2.05')],
  ['FEE', moved('15.00')],
  ['SRVCHG', moved('9.95')],
  ['EXPENSE', { withholding: number('6.40') }],
  ['INVEXPENSE', moved('3.00')],
  ['CONTRIBUTION', moved('500.00', { debitCreditMemo: 'CREDIT' })],
  ['DEP', moved('20.00')],
  ['DEPOSIT', moved('100.00')],
  ['DIRECTDEP', moved('250.00')],
  ['ATM', moved('60.00', { debitCreditMemo: 'DEBIT' })],
  ['POS', moved('18.40', { debitCreditMemo: 'DEBIT' })],
  ['CHECK', moved('75.00', { debitCreditMemo: 'DEBIT' })],
  ['PAYMENT', moved('40.00', { debitCreditMemo: 'DEBIT' })],
  ['CASH', moved('10.00', { debitCreditMemo: 'CREDIT' })],
  ['DIRECTDEBIT', moved('33.00', { debitCreditMemo: 'DEBIT' })],
  ['REPEATPMT', moved('25.00', { debitCreditMemo: 'DEBIT' })],
  ['TRANSFER', { ...traded(SHARE, '8', '50.00', '400.00'), transferAction: 'IN' }],
  ['XFER', moved('150.00', { transferAction: 'OUT' })],
  ['JRNLSEC', { ...traded(SHARE, '2', '50.00', '100.00'), transferAction: 'OUT' }],
  ['JRNLFUND', moved('80.00', { debitCreditMemo: 'CREDIT' })],
  [
    'SPLIT',
    {
      ...SHARE,
      oldUnits: number('13.5'),
      newUnits: number('27'),
      splitRatioNumerator: number('2'),
      splitRatioDenominator: number('1'),
      fractionalCash: number('0.42'),
    },
  ],
  [
    'OPTIONEXERCISE',
    { ...OPTION, units: number('1'), positionType: 'LONG', amount: number('0.00') },
  ],
  ['OPTIONEXPIRATION', { ...OPTION, units: number('1'), positionType: 'SHORT' }],
  ['RETURNOFCAPITAL', moved('22.00', FUND)],
  ['ADJUSTMENT', { ...SHARE, shares: number('-0.5') }],
  ['CLOSURE', moved('0.00')],
  ['CLOSUREOPT', moved('0.00')],
  ['INCOME', moved('1.10')],
  ['OTHER', moved('-2.20')],
];

/** Days over which the rows are spread. */
const DAYS = 14;

/** One row of each type, the oldest first, and the correction of a purchase. */
export function tradesBefore(accountId: string, now: Date): Trade[] {
  const rows = TRADES.map(([type, fields], place) => {
    const at = daysBefore(now, DAYS - Math.floor((place * DAYS) / TRADES.length));
    return tradeOf(`${accountId}-t${place + 1}`, type, fields, at);
  });
  const correction = {
    ...SHARE,
    shares: number('-12'),
    amount: number('606.15'),
    debitCreditMemo: 'CREDIT',
    referenceTransactionId: `${accountId}-t1`,
  };
  return [...rows, tradeOf(`${accountId}-c1`, 'PURCHASED', correction, daysBefore(now, 1))];
}

function tradeOf(id: string, type: string, fields: Fields, at: Date): Trade {
  const instant = at.toISOString();
  return {
    day: dayOf(at),
    instant,
    fields: {
      accountCategory: 'INVESTMENT_ACCOUNT',
      transactionId: id,
      transactionType: type,
      transactionTimestamp: instant,
      postedTimestamp: instant,
      description: `Row of type ${type}`,
      status: 'POSTED',
      ...fields,
    },
  };
}
