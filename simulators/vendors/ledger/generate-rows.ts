// cspell:ignore axxx sogedeffxxx
import { dayOf, daysBefore } from './day.js';
import { derivedId, type Draws } from './draws.js';
import type { AccountType, Row, RowDetails } from './ledger.types.js';
import { fromCents } from './money.js';

const HISTORY_DAYS = 730;
/** Rows of this many days, today among them, are pending where the account has pending rows. */
const PENDING_DAYS = 2;

/** A recurring payment: its amount in cents is drawn from a range. */
interface Habit {
  description: string;
  merchant: string | null;
  cents: readonly [number, number];
  /** Days between two, counted from today so that the newest days have rows, too. */
  everyDays: number;
  /** Age of the newest one, in days. */
  from: number;
  details?: RowDetails;
  /** Rows on one day, alike in everything but their ids. */
  copies?: number;
}

const HABITS: Readonly<Record<AccountType, readonly Habit[]>> = {
  checking: [
    {
      description: 'PAYROLL NORTHWIND LTD',
      merchant: 'Northwind Ltd',
      cents: [310_000, 310_000],
      everyDays: 30,
      from: 12,
      details: {
        bankCode: 'RCDT-SALA',
        party: {
          iban: 'DE75512108001245126199',
          bic: 'SOGEDEFFXXX',
          isCompany: true,
        },
        memo: 'Salary',
      },
    },
    {
      description: 'RENT 4B',
      merchant: 'Ada Landlord',
      cents: [-145_000, -145_000],
      everyDays: 30,
      from: 9,
      details: {
        bankCode: 'ICDT-ESCT',
        party: {
          iban: 'NL91ABNA0417164300',
          bic: 'ABNANL2AXXX',
          isCompany: false,
        },
        memo: 'Flat 4B',
        reference: 'RF18539007547034',
        checkNumber: '1042',
      },
    },
    {
      description: 'CITY POWER AND WATER',
      merchant: 'City Power',
      cents: [-12_900, -6_100],
      everyDays: 30,
      from: 20,
    },
    {
      description: 'GREENGROCER 0042',
      merchant: 'Greengrocer',
      cents: [-9_800, -1_900],
      everyDays: 8,
      from: 0,
      details: { mcc: '5411', bankCode: 'CCRD-POSD' },
    },
    {
      description: 'TRAM TICKET',
      merchant: 'City Tram',
      cents: [-290, -290],
      everyDays: 61,
      from: 3,
      copies: 2,
    },
  ],
  savings: [
    {
      description: 'TRANSFER FROM CHECKING',
      merchant: null,
      cents: [20_000, 20_000],
      everyDays: 30,
      from: 8,
    },
    { description: 'INTEREST', merchant: null, cents: [150, 420], everyDays: 30, from: 15 },
  ],
  credit_card: [
    {
      description: 'CORNER CAFE',
      merchant: 'Corner Cafe',
      cents: [-1_150, -320],
      everyDays: 9,
      from: 0,
    },
    {
      description: 'BOOKS AND MORE',
      merchant: 'Books and More',
      cents: [-6_400, -900],
      everyDays: 34,
      from: 1,
      details: {
        mcc: '5942',
        bankCode: 'CCRD-POSD',
        original: { amount: '21.00', currency: 'CHF', rate: '1.05' },
      },
    },
    {
      description: 'PAYMENT THANK YOU',
      merchant: null,
      cents: [10_000, 10_000],
      everyDays: 60,
      from: 6,
    },
  ],
  loan: [
    {
      description: 'LOAN PAYMENT',
      merchant: null,
      cents: [28_500, 28_500],
      everyDays: 30,
      from: 9,
    },
    {
      description: 'INTEREST CHARGED',
      merchant: null,
      cents: [-7_100, -3_900],
      everyDays: 30,
      from: 10,
    },
  ],
  brokerage: [],
};

/** The rows of two years up to `now`, oldest first, without running balances. */
export function generateRows(
  account: { id: string; type: AccountType },
  draws: Draws,
  now: Date,
): Row[] {
  const hasPending = account.type === 'checking' || account.type === 'credit_card';
  const rows: Row[] = [];
  for (const [place, habit] of HABITS[account.type].entries()) {
    for (let ago = habit.from; ago < HISTORY_DAYS; ago += habit.everyDays) {
      const day = dayOf(daysBefore(now, ago));
      const amount = fromCents(draws.between(...habit.cents));
      for (let copy = 0; copy < (habit.copies ?? 1); copy += 1) {
        const id = derivedId('row', account.id, day, String(place), String(copy));
        const isPending = hasPending && ago < PENDING_DAYS;
        rows.push({
          id,
          day,
          // early in the day, so that rows of today are not in the future
          instant: `${day}T00:0${place}:0${copy}.000Z`,
          amount,
          description: habit.description,
          merchant: habit.merchant,
          details: habit.details ?? {},
          status: isPending ? 'pending' : 'posted',
          runningBalance: null,
          isAnonymous: isPending || Number.parseInt(id.slice(0, 2), 16) % 12 === 0,
        });
      }
    }
  }
  return rows;
}
