import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import type { ProviderAccount, ProviderTransaction } from '../../../providers/contract/provider.js';
import { seededRandom } from '../../support/runner/seeded-random.js';
import { PATIENT } from '../limits.js';
import { readAll, type Reading } from '../untidy/readings.js';
import { ACCOUNTS } from './read-wire.js';
import { FAILURES, FAILURES_OF_ONE } from './rules.js';
import { startWireServer, type Reply, type WireServer } from './wire-server.js';
import { windowUpTo, type WireRow, type WireSubject } from './wire-subject.js';

/** In place of a value, a row or an entry. */
const ODD: readonly unknown[] = [
  null,
  '',
  7,
  -1,
  {},
  [],
  'unexpected',
  '\u0000',
  '2026-13-45',
  true,
];
const WORDS = ['Gebucht', 'CARD_CENTER_OK', 'done by clearing'];
const PLANNED = ['SCHEDULED', 'Cancelled', 'rejected'];
const isQuick = ([name]: [string, Reply]): boolean => name !== 'silence';
const FATES = Object.entries(FAILURES).filter(isQuick);
const FATES_OF_FIRST_PAGES = FAILURES_OF_ONE.filter(isQuick);
const AHEAD_DAYS = 20;

type Wire = Record<string, unknown>;

/** One response of the source, and what can be expected of its reading. */
interface Response {
  /** By account. */
  pages: Map<string, unknown[][]>;
  /** The page from which on an account's listing fails, by account. */
  fails: Map<string, { page: number; reply: Reply }>;
  /** The last page of an account names itself. */
  endsWithOwnKey: Set<string>;
  list: Wire;
  parts: Map<string, Wire>;
  /** The day of each row that must be read, by its text. */
  expected: Map<string, { row: WireRow; date: string }>;
  /** Accounts of which something cannot be read; null = of an unknown one. */
  damaged: Set<string | null>;
  /** Accounts whose own entry is damaged. */
  oddAccounts: Set<string>;
  /** Rows that may be read as anything. */
  oddRows: number;
}

export interface SequencePlan {
  seed: number;
  responses: number;
}

/**
 * Reads a sequence of untidy responses through an adapter, while the rows of its source change.
 * @returns what the readings must never show
 */
export async function violationsOf(
  subject: WireSubject,
  { seed, responses }: SequencePlan,
): Promise<string[]> {
  const random = seededRandom(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const today = utcDay(new Date());
  const violations: string[] = [];
  const contentOfId = new Map<string, string>();
  let rows: WireRow[] = [];
  let made = 0;

  const server = await startWireServer();
  try {
    const { provider, access } = await subject.open(server.url, ACCOUNTS, PATIENT);
    access.knownAccounts = ACCOUNTS.map(({ id }) => id);
    for (let count = 0; count < 12; count += 1) addRow();
    for (let at = 0; at < responses; at += 1) {
      change();
      const ofRows = respond();
      serve(server, subject, ofRows);
      const found = judgeRows(
        await readAll('transactions', provider, access, windowUpTo(today)),
        ofRows,
      );
      const ofList = respond();
      serve(server, subject, ofList);
      found.push(
        ...judgeList(await readAll('accounts', provider, access, windowUpTo(today)), ofList),
      );
      violations.push(...found.map((text) => `response ${at}: ${text}`));
    }
  } finally {
    await server.close();
  }
  return violations;

  function addRow(): void {
    made += 1;
    const day = addDays(today, -1 - below(30));
    const isPending = random() < 0.3;
    rows.unshift({
      id: `row-${made}`,
      account: pick(ACCOUNTS).id,
      text: `text ${made}`,
      cents: (random() < 0.5 ? -1 : 1) * (100 + below(5) * 50),
      posted: isPending ? null : day,
      happened: addDays(day, isPending ? 0 : -1),
      status: isPending ? 'pending' : 'posted',
    });
  }

  function change(): void {
    for (let count = below(4); count > 0; count -= 1) {
      const some = pick(rows);
      const chance = random();
      if (chance < 0.5) addRow();
      else if (chance < 0.7) rows = rows.filter((row) => row !== some || rows.length < 4);
      else if (some.status === 'pending')
        Object.assign(some, { status: 'posted', posted: some.happened });
    }
  }

  function respond(): Response {
    const response: Response = {
      pages: new Map(),
      fails: new Map(),
      endsWithOwnKey: new Set(),
      list: structuredClone(subject.accountList(ACCOUNTS)),
      parts: new Map(),
      expected: new Map(),
      damaged: new Set(),
      oddAccounts: new Set(),
      oddRows: 0,
    };
    for (const { id } of ACCOUNTS) {
      const its = rows.filter(({ account }) => account === id).map((row) => sent(row, response));
      if (random() < 0.2) its.splice(below(its.length + 1), 0, extra(id, response));
      if (random() < 0.2) its.reverse();
      const pages: unknown[][] = [[], [], []];
      for (const [place, each] of its.entries()) {
        const page = Math.min(2, Math.floor((place * 3) / its.length));
        pages[page]?.push(each);
        if (random() < 0.05) pages[Math.min(2, page + 1)]?.push(each);
      }
      // SimpleFIN has two parts in this window.
      if (subject.lacks.keys !== undefined) pages[1]?.push(...(pages.pop() ?? []));
      response.pages.set(id, pages);
      if (random() < 0.15) response.endsWithOwnKey.add(id);
    }
    if (random() < 0.3) failPage(response);
    if (random() < 0.3) damageAccount(response);
    return response;
  }

  function sent(row: WireRow, response: Response): unknown {
    const chance = random();
    const isPosted = row.status === 'posted';
    const day = (isPosted ? row.posted : row.happened) ?? today;
    if (chance < 0.06) {
      const wire = subject.row(row);
      const field = pick(Object.keys(wire));
      response.damaged.add(row.account).add(null);
      response.oddRows += 1;
      return { ...wire, [field]: pick(ODD) };
    }
    if (isPosted && chance < 0.14) {
      response.expected.set(row.text, { row, date: row.happened ?? day });
      return subject.row({ ...row, posted: addDays(today, AHEAD_DAYS) });
    }
    response.expected.set(row.text, { row, date: day });
    const hasOwnWord = isPosted && chance < 0.2 && subject.lacks.words === undefined;
    return subject.row(hasOwnWord ? { ...row, status: pick(WORDS) } : row);
  }

  /** Something that is not a row. */
  function extra(account: string, response: Response): unknown {
    if (subject.lacks.words === undefined && random() < 0.5) {
      made += 1;
      const day = addDays(today, 5);
      return subject.row({
        id: `row-${made}`,
        account,
        text: 'planned',
        cents: -100,
        posted: day,
        happened: null,
        status: pick(PLANNED),
      });
    }
    response.damaged.add(account).add(null);
    response.oddRows += 1;
    return pick(ODD);
  }

  function failPage(response: Response): void {
    const { id } = pick(ACCOUNTS);
    const isFirst = subject.lacks.listings === undefined && random() < 0.3;
    const page = isFirst ? 0 : 1 + below(subject.lacks.keys === undefined ? 2 : 1);
    const [, reply] = pick(isFirst ? FATES_OF_FIRST_PAGES : FATES);
    for (const account of subject.sharesPages ? ACCOUNTS.map((each) => each.id) : [id]) {
      response.fails.set(account, { page, reply });
      response.damaged.add(account);
      response.endsWithOwnKey.delete(account);
      const unread = new Set((response.pages.get(account) ?? []).slice(page).flat());
      const read = new Set((response.pages.get(account) ?? []).slice(0, page).flat());
      for (const [text, { row }] of response.expected) {
        const isUnread = [...unread].some((wire) => !read.has(wire) && names(wire, row));
        if (row.account === account && isUnread) response.expected.delete(text);
      }
    }
    if (subject.sharesPages) response.damaged.add(null);
  }

  function damageAccount(response: Response): void {
    const account = pick(ACCOUNTS);
    const entries = Object.values(response.list).find(Array.isArray) as Wire[] | undefined;
    if (random() < 0.3 && entries !== undefined) {
      entries.push(pick(ODD) as Wire);
      response.damaged.add(null);
      return;
    }
    const entry = entries?.[ACCOUNTS.indexOf(account)];
    const part = structuredClone(subject.accountPart?.(account, 'details') ?? {});
    const target = entry ?? part;
    target[pick(Object.keys(target))] = pick(ODD);
    if (entry === undefined) response.parts.set(account.id, part);
    response.damaged.add(account.id).add(null);
    response.oddAccounts.add(account.id);
  }

  function judgeRows(got: Reading, response: Response): string[] {
    // A fetch fails, to be repeated, when no account can be read.
    const isAllLost = ACCOUNTS.every(
      ({ id }) => response.oddAccounts.has(id) || response.fails.get(id)?.page === 0,
    );
    const found = isAllLost ? [...got.problems] : failureOf(got);
    const read = [...got.parts.values()].flatMap((its) =>
      [...its.values()].map((text) => JSON.parse(text) as ProviderTransaction),
    );
    const withText = (text: string) => read.filter(({ description }) => description === text);
    for (const [text, { row, date }] of response.expected) {
      if (response.oddAccounts.has(row.account)) continue;
      const [first, ...more] = withText(text);
      if (more.length > 0) found.push(`${text} is read ${more.length + 1} times`);
      if (first === undefined) {
        found.push(`${text} is lost`);
        continue;
      }
      const seen = [Number(first.amount), first.type, first.pending, first.date];
      const type = row.cents < 0 ? 'debit' : 'credit';
      const truth = [Math.abs(row.cents) / 100, type, row.status === 'pending', date];
      if (JSON.stringify(seen) !== JSON.stringify(truth))
        found.push(`${text} is ${JSON.stringify(seen)}, not ${JSON.stringify(truth)}`);
      const content = [text, row.cents, row.account].join(' | ');
      const id = first.providerTransactionId;
      if ((contentOfId.get(id) ?? content) !== content) found.push(`${id} changes its content`);
      contentOfId.set(id, content);
    }
    if (withText('planned').length > 0) found.push('a planned row is read');
    const others = read.filter(({ description }) => !String(description).startsWith('text '));
    if (others.length > response.oddRows) found.push('reads rows that do not exist');
    return [...found, ...foreignFaults(got, response)];
  }

  function judgeList(got: Reading, response: Response): string[] {
    const found = failureOf(got);
    for (const { id, kind } of ACCOUNTS) {
      if (response.oddAccounts.has(id)) continue;
      const text = got.parts.get(id)?.get('account');
      const { accountType = null, current = null } =
        text === undefined ? {} : (JSON.parse(text) as Partial<ProviderAccount>);
      const expected = kind === 'card' ? 'liability.credit_card 25' : 'depository.checking 100';
      const seen = `${accountType} ${Number(current)}`;
      if (seen !== expected) found.push(`${id} is ${seen}, not ${expected}`);
    }
    return [...found, ...foreignFaults(got, { ...response, damaged: listDamage(response) })];
  }

  /** Rows are not part of a list. */
  function listDamage({ oddAccounts, list }: Response): Set<string | null> {
    const entries = (Object.values(list).find(Array.isArray) ?? []) as unknown[];
    return new Set([...oddAccounts, ...(oddAccounts.size > 0 || entries.length > 2 ? [null] : [])]);
  }

  function names(wire: unknown, { text }: WireRow): boolean {
    return JSON.stringify(wire).includes(`"${text}"`);
  }
}

const failureOf = ({ failure, problems }: Reading): string[] => [
  ...(failure === null ? [] : [`fails: ${String(failure)}`]),
  ...problems,
];

function foreignFaults(got: Reading, { damaged }: Response): string[] {
  const named = [
    ...got.faults.filter(({ scope }) => scope !== 'value').map(({ account }) => account),
    ...got.unreported,
  ];
  const foreign = named.filter((account) => !damaged.has(account));
  return foreign.length === 0 ? [] : [`names ${foreign.join(', ')} without a reason`];
}

function serve(server: WireServer, subject: WireSubject, response: Response): void {
  server.reply = (url) => {
    const request = subject.requestOf(url);
    if (request === null) return { body: subject.other?.() ?? {} };
    if (request.about === 'accounts') return { body: response.list };
    if (request.about === 'account') {
      const account = ACCOUNTS.find(({ id }) => id === request.account) ?? ACCOUNTS[0];
      const odd = request.part === 'details' ? response.parts.get(request.account) : undefined;
      return { body: odd ?? subject.accountPart?.(account, request.part) ?? {} };
    }
    const { account, page } = request;
    const listed = ACCOUNTS.filter(({ id }) => account === null || id === account);
    for (const { id } of listed) {
      const failing = response.fails.get(id);
      if (failing !== undefined && page >= failing.page) return failing.reply;
    }
    const last = Math.max(...listed.map(({ id }) => (response.pages.get(id)?.length ?? 1) - 1));
    const endsWithOwnKey = listed.every(({ id }) => response.endsWithOwnKey.has(id));
    const next = page < last ? String(page + 1) : endsWithOwnKey ? String(page) : null;
    const rows = new Map(
      listed.map((each) => [each, response.pages.get(each.id)?.[page] ?? []] as const),
    );
    return { body: subject.page(rows, next, url) };
  };
}

// cspell:ignore Gebucht
