import { Decimal } from 'decimal.js';
import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type {
  ProviderAccount,
  ProviderFacts,
  ProviderTransaction,
  SourceFault,
} from '../../../providers/contract/provider.js';
import { faultOf, type ScriptedAnswer } from './scripted-source.js';
import { account, row } from '../../support/fixtures/stored-link.js';

/** The reliability of a bank's ids, and whether they are all renewed now and then. */
export const UNTIDY_IDS = {
  stable: 'stable',
  renewed: 'renewed_when_posted',
  random: 'unreliable',
  position: 'unreliable',
  reissued: 'stable',
} as const satisfies Record<string, ProviderFacts['transactionIds']>;
export type UntidyIds = keyof typeof UNTIDY_IDS;

interface TrueRow {
  /** Only letters, used by this row only. */
  text: string;
  account: string;
  cents: number;
  date: string;
  pending: boolean;
}

/** The text of a row that an untidy response repeats with another text. */
export const OTHER_TEXT = 'Quite other words';

const ACCOUNTS = ['checking', 'card', 'private'] as const;

/** A bank with a truth that changes, and responses that are damaged in one or several respects. */
export class UntidyBank {
  private rows: TrueRow[] = [];
  private readonly absent = new Set<string>();
  private epoch = 0;
  private made = 0;
  private calls = 0;

  constructor(
    private readonly random: () => number,
    private readonly ids: UntidyIds,
    private readonly today: string = utcDay(new Date()),
  ) {
    for (let count = 0; count < 12; count += 1) this.add();
  }

  /** The result that sync must return for the shared accounts after a correct response, sorted. */
  truth(): string[] {
    return this.rows
      .filter((each) => each.account !== 'private')
      .map((each) =>
        [each.text, each.account, each.cents / 100, each.date, each.pending].join(' | '),
      )
      .sort();
  }

  /** Applies a few changes to the truth. */
  change(): void {
    for (let count = this.below(4); count > 0; count -= 1) this.changeOnce();
    if (this.ids === 'reissued' && this.random() < 0.15) this.epoch += 1;
    if (this.random() < 0.2) this.absent.add(this.pick(ACCOUNTS));
    else if (this.random() < 0.5) this.absent.clear();
  }

  /** Ends every absence, so that the next response is the whole truth. */
  tidyUp(): void {
    this.absent.clear();
  }

  correctAnswer(): ScriptedAnswer {
    this.calls += 1;
    const present = ACCOUNTS.filter((each) => !this.absent.has(each));
    return {
      accounts: present.map((each) => this.accountOf(each)),
      unreported: [],
      numbers: [],
      owners: [],
      rows: this.rows
        .filter((each) => present.some((name) => name === each.account))
        .map((each) => this.rowOf(each)),
      faults: [],
    };
  }

  /**
   * @param known ids of the accounts of the link, when transactions are requested: adapters report
   * those that are absent
   */
  answer(known: readonly string[] = []): ScriptedAnswer {
    let answer = this.correctAnswer();
    const isListed = new Set(answer.accounts.map(({ providerAccountId }) => providerAccountId));
    answer = { ...answer, unreported: known.filter((id) => !isListed.has(id)) };
    for (let count = this.below(4); count > 0; count -= 1) answer = this.damage(answer);
    return answer;
  }

  private damage(answer: ScriptedAnswer): ScriptedAnswer {
    const about = this.accountId(this.pick(ACCOUNTS));
    const noted = (fault: SourceFault, changed: Partial<ScriptedAnswer> = {}) => ({
      ...answer,
      ...changed,
      faults: [...answer.faults, fault],
    });
    const ofAbout = ({ providerAccountId }: { providerAccountId: string }) =>
      providerAccountId === about;
    const without = {
      accounts: answer.accounts.filter((each) => !ofAbout(each)),
      rows: answer.rows.filter((each) => !ofAbout(each)),
    };
    const fewer = answer.rows.filter((each) => !ofAbout(each) || this.random() < 0.5);
    const first = answer.rows[0];
    switch (this.below(11)) {
      case 0:
        return noted(faultOf('row', about), { rows: fewer });
      case 1:
        return noted(faultOf('row', null), { rows: fewer });
      case 2:
        return noted(faultOf('account', about, { reason: 'endless' }), { rows: fewer });
      case 3:
        return noted(faultOf('account', about), without);
      case 4:
        return noted(faultOf('account', null, { accountName: 'a name' }), without);
      case 5:
        return { ...answer, ...without, unreported: [...answer.unreported, about] };
      case 6:
        return noted(faultOf('value', about), {
          accounts: answer.accounts.map((each) =>
            ofAbout(each) ? { ...each, current: null, available: null } : each,
          ),
        });
      case 7:
        return first === undefined ? answer : { ...answer, rows: [...answer.rows, first] };
      case 8:
        return first === undefined
          ? answer
          : { ...answer, rows: [...answer.rows, { ...first, description: OTHER_TEXT }] };
      case 9:
        throw new ProviderFailure('malformed', 'Nothing of this answer can be read.');
      default:
        return { ...answer, accounts: [...answer.accounts].reverse() };
    }
  }

  private changeOnce(): void {
    const some = this.rows[this.below(this.rows.length)];
    const chance = this.random();
    if (some === undefined || chance < 0.5) this.add();
    else if (chance < 0.65) this.rows = this.rows.filter((each) => each !== some);
    else if (chance < 0.85) some.pending = false;
    else if (this.ids === 'stable') some.cents += 100;
  }

  private add(): void {
    this.made += 1;
    // A late row comes first, so that positions move.
    this.rows.unshift({
      text: lettersOf(this.made),
      account: this.pick(ACCOUNTS),
      cents: 100 + this.below(5) * 50,
      date: addDays(this.today, -this.below(20)),
      pending: this.random() < 0.3,
    });
  }

  private accountOf(name: string): ProviderAccount {
    const mask = `${ACCOUNTS.findIndex((each) => each === name) + 1}111`;
    return account(this.accountId(name), { name, mask });
  }

  private rowOf(each: TrueRow): ProviderTransaction {
    const { text, cents, date, pending } = each;
    return row(this.rowId(each), {
      providerAccountId: this.accountId(each.account),
      amount: new Decimal(cents).div(100),
      date,
      pending,
      description: text,
      rawDescription: null,
    });
  }

  private accountId(name: string): string {
    return this.epoch === 0 ? name : `${this.epoch}-${name}`;
  }

  private rowId(each: TrueRow): string {
    const sameDay = () =>
      this.rows.filter(({ account: of, date }) => of === each.account && date === each.date);
    return {
      stable: () => each.text,
      renewed: () => `${each.text}${each.pending ? ' pending' : ''}`,
      random: () => `${this.calls} ${each.text}`,
      position: () => `${each.account}/${each.date}/${sameDay().indexOf(each)}`,
      reissued: () => `${this.epoch} ${each.text}`,
    }[this.ids]();
  }

  private below(count: number): number {
    return Math.floor(this.random() * count);
  }

  private pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.below(from.length)] ?? from[0];
  }
}

/** A number as a word of at least two letters, since texts are compared by their words. */
function lettersOf(number: number): string {
  const letter = (digit: number) => String.fromCharCode(65 + digit);
  return `Q${[...number.toString()].map((digit) => letter(Number(digit))).join('')}X`;
}
