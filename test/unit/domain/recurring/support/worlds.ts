import {
  calendarDay,
  dateOfDay,
  dayInMonth,
  dayNumber,
} from '../../../../../domain/recurring/calendar-days.js';
import type { Interval } from '../../../../../domain/recurring/intervals.js';
import type { RecurringRow } from '../../../../../domain/recurring/recurring-row.js';
import { seededChance, type Chance } from './seeded-chance.js';
import { NAMES, type Names } from './world-names.js';

export const TODAY = '2026-03-06';
const END = dayNumber(TODAY);
const START = END - 725;

/** Payments that a person would call one stream. */
export interface LabeledStream {
  kind: string;
  interval: Interval;
  ids: string[];
}

/** The rows of one customer, and which of them are streams. */
export interface World {
  rows: RecurringRow[];
  streams: LabeledStream[];
}

/** One customer with two years of rows. The same seed makes the same world. */
export function createWorld(seed: number, names: Names = NAMES): World {
  const maker = new WorldMaker(seededChance(seed), names, seed);
  maker.streams();
  maker.decoys();
  return { rows: maker.rows, streams: maker.labeled.filter(({ ids }) => ids.length > 1) };
}

interface Payment {
  day: number;
  amount: number;
}

type Texts = Pick<RecurringRow, 'description'> & Partial<RecurringRow>;

class WorldMaker {
  readonly rows: RecurringRow[] = [];
  readonly labeled: LabeledStream[] = [];

  constructor(
    private readonly chance: Chance,
    private readonly names: Names,
    private readonly seed: number,
  ) {}

  streams(): void {
    const { chance, names } = this;
    this.salary();
    if (chance.happens(0.8)) this.rent();
    for (const utility of this.some(names.utilities, 1, 2)) this.utility(utility);
    this.monthly('phone', this.directDebit(chance.pick(names.phones)), this.price(15, 60));
    for (const [at, name] of this.some(names.subscriptions, 2, 5).entries())
      this.subscription(name, at);
    if (chance.happens(0.5)) this.insurance();
    if (chance.happens(0.3)) this.tax();
    if (chance.happens(0.5))
      this.monthly('loan', this.directDebit(chance.pick(names.lenders)), this.price(150, 900));
    if (chance.happens(0.5)) this.cardPayment();
    if (chance.happens(0.5)) this.savings();
    if (chance.happens(0.3)) this.dividends();
    if (chance.happens(0.3)) this.allowance();
  }

  decoys(): void {
    const { chance, names } = this;
    this.groceries();
    this.coffee();
    if (chance.happens(0.7)) this.fuel();
    if (chance.happens(0.5)) this.cash();
    if (chance.happens(0.4)) this.installments();
    this.marketplace();
    this.shopping();
    for (const friend of this.some(names.friends, 1, 3)) this.friend(friend);
    if (chance.happens(0.5)) this.holidays();
    if (chance.happens(0.4)) this.events();
  }

  private salary(): void {
    const { chance } = this;
    const employer = chance.pick(this.names.employers);
    const pay = this.price(1800, 4200);
    const varies = chance.happens(0.4);
    const amount = () => (varies ? round(pay * (0.97 + chance.next() * 0.06)) : pay);
    const counterpartyName = chance.happens(0.5) ? employer : null;
    const textsOn = () => ({
      description: `${employer} SALARY ${chance.whole(100000, 999999)}`,
      counterpartyName,
    });
    if (chance.happens(0.3)) {
      this.label(
        'salary four-weekly',
        'four_weekly',
        'credit',
        textsOn,
        every(28, chance.whole(0, 27)).map((day) => ({ day, amount: amount() })),
      );
      return;
    }
    const payday = chance.pick([1, 15, 25, 28, 31]);
    this.label(
      'salary monthly',
      'monthly',
      'credit',
      textsOn,
      eachMonth(1, payday).map((day) => ({ day: beforeWeekend(day), amount: amount() })),
    );
  }

  private rent(): void {
    const { chance } = this;
    const landlord = chance.pick(this.names.landlords);
    const mask = chance.happens(0.5) ? String(chance.whole(1000, 9999)) : null;
    const rent = this.price(600, 1900);
    const raise = START + chance.whole(200, 500);
    const months = [
      'JANUARY',
      'FEBRUARY',
      'MARCH',
      'APRIL',
      'MAY',
      'JUNE',
      'JULY',
      'AUGUST',
      'SEPTEMBER',
      'OCTOBER',
      'NOVEMBER',
      'DECEMBER',
    ];
    const writesMonth = chance.happens(0.3);
    const day = chance.whole(1, 5);
    this.label(
      'rent',
      'monthly',
      'debit',
      (at) => ({
        description: `STANDING ORDER ${landlord} RENT${writesMonth ? ` ${months[calendarDay(at).month % 12] ?? ''}` : ''}`,
        counterpartyName: mask === null ? null : landlord,
        counterpartyMask: mask,
      }),
      eachMonth(1, day).map((at) => ({
        day: afterWeekend(at),
        amount: at < raise ? rent : round(rent * 1.05),
      })),
    );
  }

  private utility(name: string): void {
    const { chance } = this;
    const mean = this.price(50, 130);
    const months = chance.pick([1, 1, 1, 2, 3]);
    const interval = months === 1 ? 'monthly' : months === 2 ? 'bimonthly' : 'quarterly';
    const day = chance.whole(2, 27);
    this.label(
      'utility',
      interval,
      'debit',
      this.directDebit(name),
      eachMonth(months, day, chance.whole(0, months - 1)).map((at) => ({
        day: afterWeekend(at),
        amount: round(
          mean *
            (1 +
              0.35 * Math.cos(((calendarDay(at).month % 12) / 12) * 2 * Math.PI) +
              (chance.next() - 0.5) * 0.1),
        ),
      })),
    );
  }

  private subscription(name: string, at: number): void {
    const { chance } = this;
    const price = chance.pick([4.99, 7.99, 9.99, 11.99, 12.99, 15.99, 19.99]);
    const raise = chance.happens(0.5) ? START + chance.whole(150, 600) : Infinity;
    const pause = chance.happens(0.2) ? START + chance.whole(200, 500) : Infinity;
    const begins = chance.happens(0.3) ? START + chance.whole(100, 550) : START;
    const ends = chance.happens(0.2) ? START + chance.whole(400, 600) : Infinity;
    const renamed = chance.happens(0.2) ? START + chance.whole(200, 500) : Infinity;
    const merchant = chance.happens(0.5);
    const textsOn = (day: number): Texts => {
      const shown = day < renamed ? name : `${name} Premium`;
      return {
        description: `CARD PURCHASE ${chance.whole(1000, 9999)} ${shown.toUpperCase()} ${chance.whole(10000, 99999)}`,
        merchantName: merchant ? shown : null,
      };
    };
    const annual = at > 2 && chance.happens(0.3);
    const days = (
      annual
        ? eachMonth(12, chance.whole(1, 28), chance.whole(0, 11))
        : eachMonth(1, chance.whole(1, 31))
    )
      .filter(
        (day) => annual || (day >= begins && day < ends && !(day >= pause && day < pause + 75)),
      )
      .map((day) => ({
        day: day + (chance.happens(0.2) ? 1 : 0),
        amount: day < raise || annual ? price : round(price + 2),
      }));
    this.label(
      annual ? 'subscription annual' : 'subscription',
      annual ? 'annual' : 'monthly',
      'debit',
      textsOn,
      days,
    );
  }

  /** Several policies, each on its day. */
  private insurance(): void {
    const { chance } = this;
    const insurer = chance.pick(this.names.insurers);
    const withMandate = chance.happens(0.5);
    const month = chance.whole(0, 11);
    for (let policy = 0; policy < 3; policy += 1) {
      const premium = this.price(80, 700);
      const mandate = withMandate ? `MND-${this.seed}-${policy}` : null;
      this.label(
        'insurance',
        'annual',
        'debit',
        () => ({
          description: `DIRECT DEBIT ${insurer} POLICY ${chance.whole(100000, 999999)}`,
          mandate,
        }),
        eachMonth(12, 1 + policy * 6, (month + policy) % 12).map((day) => ({
          day,
          amount: premium,
        })),
      );
    }
  }

  private tax(): void {
    const due = this.price(200, 900);
    this.label(
      'tax',
      'quarterly',
      'debit',
      () => ({ description: `TAX OFFICE ${this.chance.whole(1000, 9999)} INCOME TAX` }),
      eachMonth(3, 10, this.chance.whole(0, 2)).map((day) => ({
        day: afterWeekend(day),
        amount: due,
      })),
    );
  }

  private cardPayment(): void {
    const { chance } = this;
    const day = chance.whole(10, 25);
    this.label(
      'card payment',
      'monthly',
      'debit',
      () => ({ description: 'CREDIT CARD PAYMENT THANK YOU' }),
      eachMonth(1, day).map((at) => ({ day: at, amount: round(300 + chance.next() * 500) })),
    );
  }

  private savings(): void {
    const { chance } = this;
    const amount = chance.pick([50, 100, 200, 250]);
    const weekly = chance.happens(0.4);
    const days = weekly
      ? every(chance.pick([7, 14]), chance.whole(0, 6))
      : eachMonth(1, chance.whole(1, 28));
    const step = (days[1] ?? 0) - (days[0] ?? 0);
    const interval = !weekly ? 'monthly' : step === 7 ? 'weekly' : 'biweekly';
    const payments = days.map((day) => ({ day, amount }));
    this.label(
      'savings',
      interval,
      'debit',
      () => ({ description: 'TRANSFER TO SAVINGS' }),
      payments,
    );
    this.label(
      'savings',
      interval,
      'credit',
      () => ({ description: 'TRANSFER FROM CHECKING' }),
      payments.map(({ day }) => ({ day: day + 1, amount })),
      'acc_savings',
    );
  }

  private dividends(): void {
    const { chance } = this;
    this.label(
      'dividend',
      'quarterly',
      'credit',
      () => ({ description: `DIVIDEND ORCHARD FUND ${chance.whole(100, 999)}` }),
      eachMonth(3, 16, chance.whole(0, 2)).map((day) => ({
        day: afterWeekend(day),
        amount: round(20 + chance.next() * 15),
      })),
    );
  }

  /** Twice a month, by hand. */
  private allowance(): void {
    this.label(
      'allowance',
      'semi_monthly',
      'debit',
      () => ({ description: 'ALLOWANCE TO ROBIN' }),
      [...eachMonth(1, 1), ...eachMonth(1, 15)].map((day) => ({ day, amount: 75 })),
    );
  }

  private groceries(): void {
    const { chance } = this;
    for (const day of every(7, (6 - weekday(START) + 7) % 7)) {
      if (chance.happens(0.9)) this.pay(day, 35 + chance.next() * 90, this.card('Green Basket'));
      if (chance.happens(0.3))
        this.pay(day + chance.whole(1, 4), 5 + chance.next() * 30, this.card('Green Basket'));
    }
  }

  private coffee(): void {
    for (let day = START; day < END; day += 1)
      if (weekday(day) % 6 !== 0 && this.chance.happens(0.55))
        this.pay(day, 3.4, this.card('Corner Bakery'));
  }

  private fuel(): void {
    const equal = this.chance.happens(0.4);
    for (let day = START + 3; day < END; day += this.chance.whole(9, 12))
      this.pay(day, equal ? 50 : 40 + this.chance.next() * 30, this.card('Petrol Plus'));
  }

  private cash(): void {
    for (const day of every(7, (5 - weekday(START) + 7) % 7))
      if (this.chance.happens(0.6))
        this.pay(day + this.chance.whole(0, 1), 100, { description: 'CASH WITHDRAWAL' });
  }

  private installments(): void {
    const begins = START + this.chance.whole(50, 500);
    for (let at = 0; at < 4; at += 1)
      this.pay(begins + at * 14, 61.25, { description: 'SPLIT PAY INSTALLMENT' });
  }

  private marketplace(): void {
    const { chance, names } = this;
    const begins = START + chance.whole(0, 650);
    this.pay(begins, 24.99, this.card(names.market));
    this.pay(begins + 30, 24.99, this.card(names.market));
    for (let at = 0; at < 30; at += 1)
      this.pay(
        START + chance.whole(0, 720),
        chance.pick([9.99, 14.99, 19.99, 24.99, 29.99, 34.5, 49, 7.49]),
        this.card(names.market),
      );
  }

  private shopping(): void {
    const { chance, names } = this;
    for (let at = 0; at < 350; at += 1) {
      const day = START + chance.whole(0, 724);
      const amount = chance.pick([10, 15, 20, 25, round(5 + chance.next() * 100)]);
      const shop = this.card(chance.pick(names.shops));
      this.pay(day, amount, shop);
      if (chance.happens(0.03)) this.pay(day + chance.whole(2, 8), amount, shop, 'credit');
    }
  }

  private friend(name: string): void {
    const { chance } = this;
    for (let at = chance.whole(3, 12); at > 0; at -= 1)
      this.pay(
        START + chance.whole(0, 720),
        chance.pick([10, 20, 20, 25, 50]),
        { description: `PAYMENT TO ${name}`, counterpartyName: name },
        chance.happens(0.3) ? 'credit' : 'debit',
      );
  }

  private holidays(): void {
    for (const year of [0, 1])
      this.pay(
        START + 120 + year * 365 + this.chance.whole(-15, 15),
        400 + this.chance.next() * 900,
        this.card('Sunset Travel'),
      );
  }

  private events(): void {
    const begins = START + this.chance.whole(0, 600);
    for (let at = 0; at < 3; at += 1)
      this.pay(begins + at * 7 + this.chance.whole(0, 2), 35, this.card('Concert Hall'));
  }

  /** A debit of a stream is sometimes returned and tried again. */
  private label(
    kind: string,
    interval: Interval,
    type: 'debit' | 'credit',
    textsOn: (day: number) => Texts,
    payments: readonly Payment[],
    accountId = 'acc_checking',
  ): void {
    const stream: LabeledStream = { kind, interval, ids: [] };
    for (const { day, amount } of payments) {
      if (day < START || day > END) continue;
      const texts = textsOn(day);
      if (type === 'debit' && kind === 'phone' && this.chance.happens(0.03)) {
        this.pay(day, amount, texts);
        this.pay(day + 2, amount, texts, 'credit');
        stream.ids.push(this.pay(day + 4, amount, texts));
        continue;
      }
      stream.ids.push(this.pay(day, amount, texts, type, accountId));
    }
    this.labeled.push(stream);
  }

  private monthly(kind: string, textsOn: (day: number) => Texts, amount: number): void {
    this.label(
      kind,
      'monthly',
      'debit',
      textsOn,
      eachMonth(1, this.chance.whole(1, 28)).map((day) => ({ day: afterWeekend(day), amount })),
    );
  }

  private directDebit(name: string): () => Texts {
    const mandate = this.chance.happens(0.4) ? `M${this.chance.whole(1e6, 9e6)}` : null;
    return () => ({
      description: `DIRECT DEBIT ${name} REF ${this.chance.whole(10000, 99999)}`,
      mandate,
    });
  }

  private card(name: string): Texts {
    return {
      description: `CARD PURCHASE ${this.chance.whole(1000, 9999)} ${name.toUpperCase()} ${this.chance.whole(100, 999)}`,
    };
  }

  private price(least: number, most: number): number {
    return round(least + this.chance.next() * (most - least));
  }

  private some<T>(choices: readonly T[], least: number, most: number): T[] {
    const left = [...choices];
    return Array.from({ length: Math.min(left.length, this.chance.whole(least, most)) }, () => {
      const [chosen] = left.splice(this.chance.whole(0, left.length - 1), 1);
      if (chosen === undefined) throw new Error('nothing is left');
      return chosen;
    });
  }

  private pay(
    day: number,
    amount: number,
    texts: Texts,
    type: 'debit' | 'credit' = 'debit',
    accountId = 'acc_checking',
  ): string {
    const transactionId = `txn_${this.seed}_${this.rows.length}`;
    this.rows.push({
      transactionId,
      accountId,
      amount: amount.toFixed(2),
      type,
      currency: 'EUR',
      date: dateOfDay(day),
      pending: false,
      category: null,
      merchantName: null,
      counterpartyName: null,
      counterpartyMask: null,
      mandate: null,
      creditorReference: null,
      ...texts,
    });
    return transactionId;
  }
}

function every(days: number, first: number): number[] {
  const found: number[] = [];
  for (let day = START + first; day <= END; day += days) found.push(day);
  return found;
}

function eachMonth(months: number, dayOfMonth: number, first = 0): number[] {
  const found: number[] = [];
  const last = calendarDay(END).month;
  for (let month = calendarDay(START).month + first; month <= last; month += months)
    found.push(dayInMonth(month, dayOfMonth));
  return found;
}

/** 0 = Sunday. */
function weekday(day: number): number {
  return (day + 4) % 7;
}

function afterWeekend(day: number): number {
  return day + (weekday(day) === 6 ? 2 : weekday(day) === 0 ? 1 : 0);
}

function beforeWeekend(day: number): number {
  return day - (weekday(day) === 6 ? 1 : weekday(day) === 0 ? 2 : 0);
}

function round(amount: number): number {
  return Math.round(amount * 100) / 100;
}
