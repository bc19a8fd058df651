import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { Reply } from './wire-server.js';
import { ACCOUNTS, readRowsOf, type Script, type WireReading } from './read-wire.js';
import { windowUpTo, type WireRow, type WireSubject } from './wire-subject.js';

/** A rule for untidy rows and listings, with the inputs that prove it. */
export interface Rule {
  /** A row of the table in `PROOF.md`. */
  kind: string;
  /** The title of its test. */
  promise: string;
  /** What a protocol needs for the inputs. */
  needs?: keyof WireSubject['lacks'];
  /** By name. Returns what is wrong. */
  inputs: Readonly<Record<string, (subject: WireSubject) => Promise<unknown>>>;
}

const [FIRST, OTHER] = ACCOUNTS;
const today = (): string => utcDay(new Date());
const ago = (days: number): string => addDays(today(), -days);

const row = (text: string, fields: Partial<WireRow> = {}): WireRow => ({
  id: `id of ${text}`,
  account: FIRST.id,
  text,
  cents: -1_250,
  posted: ago(3),
  happened: null,
  status: 'posted',
  ...fields,
});
const others = [row('of the other account', { account: OTHER.id, cents: 700 })];

const textsOf = ({ rows }: WireReading): string[] =>
  rows.map(({ description }) => String(description)).sort();

interface Expected {
  /** The rows of the first account, with what is to be seen of each. */
  rows: Readonly<Record<string, object>>;
  /** The reason for which the first account is incomplete; null = it is complete. */
  incomplete?: string | null;
  maxCalls?: number;
}

/** Reads a script, and expects the rows and the state of both accounts. */
async function expectRows(
  subject: WireSubject,
  script: Partial<Script>,
  { rows, incomplete = null, maxCalls = 30 }: Expected,
): Promise<void> {
  const got = await readRowsOf(subject, { pages: [], others, ...script });
  const ofOther = script.others ?? others;
  const cause = got.failure instanceof ProviderFailure ? got.failure.providerCause : got.failure;
  expect({ cause, problems: got.problems }).toEqual({ cause: null, problems: [] });
  expect(textsOf(got)).toEqual([...Object.keys(rows), ...ofOther.map(({ text }) => text)].sort());
  for (const [text, seen] of Object.entries(rows))
    expect(got.rows.find(({ description }) => description === text)).toMatchObject(seen);
  const large = got.faults.filter(({ scope }) => scope !== 'value');
  expect(large.map(({ account, reason }) => ({ account, reason }))).toEqual(
    incomplete === null
      ? []
      : [{ account: subject.sharesPages ? null : FIRST.id, reason: incomplete }],
  );
  expect(got.calls.length).toBeLessThanOrEqual(maxCalls);
}

const twoPages = [[row('first')], [row('second')]];

const STATUSES = [400, 401, 402, 403, 404, 405, 408, 409, 410, 422, 429, 500, 502, 503, 504];
const page = '<!doctype html><html><h1>Attention required</h1></html>';
const html = { 'content-type': 'text/html' };

export const FAILURES: Readonly<Record<string, Reply>> = {
  ...Object.fromEntries(STATUSES.map((status) => [`status ${status}`, { status, body: {} }])),
  '429 with a time to wait': { status: 429, headers: { 'retry-after': '7' }, body: {} },
  'a page': { text: page, headers: html },
  'a page with status 403': { status: 403, text: page, headers: html },
  'a page with status 503': { status: 503, text: page, headers: html },
  'a redirect': { status: 302, headers: { location: 'https://elsewhere.example/' }, body: {} },
  'no JSON': { text: '{"transactions": [' },
  'no body': { text: '' },
  null: { body: null },
  'a list': { body: [] },
  'a text': { body: 'unavailable' },
  'an empty object': { body: {} },
  'an error with status 200': { body: { error: 'unavailable', message: 'Try again later' } },
  'a broken connection': { fate: 'reset' },
  'half a response': { fate: 'cut off', body: {} },
  silence: { fate: 'silence' },
};

/** They concern the permission or the source, whichever account is read. */
const OF_THE_SOURCE: readonly string[] = ['status 401', 'status 429', '429 with a time to wait'];

/** Failures of a first page that take no other account. */
export const FAILURES_OF_ONE = Object.entries(FAILURES).filter(
  ([name]) => !OF_THE_SOURCE.includes(name),
);

/** Reads both accounts, while the first page of one fails. */
async function expectOtherAccount(subject: WireSubject, reply: Reply): Promise<void> {
  const got = await readRowsOf(subject, {
    ...{ pages: [[row('unread')]], others, isImpatient: reply.fate === 'silence' },
    instead: () => reply,
  });
  const cause = got.failure instanceof ProviderFailure ? got.failure.providerCause : got.failure;
  expect({ cause, problems: got.problems }).toEqual({ cause: null, problems: [] });
  expect(textsOf(got)).toEqual(others.map(({ text }) => text));
  const large = got.faults.filter(({ scope }) => scope !== 'value');
  const named = [...got.unreported, ...large.map(({ account }) => account)];
  const hasNone = reply.status !== undefined && subject.noRows?.includes(reply.status) === true;
  expect(named).toEqual(hasNone && reply.text === undefined ? [] : [FIRST.id]);
}

async function expectEnd(subject: WireSubject, reply: Reply): Promise<void> {
  const { failure } = await readRowsOf(subject, {
    ...{ pages: [[row('unread')]], others },
    instead: () => reply,
  });
  expect(failure).toBeInstanceOf(ProviderFailure);
}

const dayIn = (days: number): string => addDays(today(), days);

/** A row that is posted ahead. */
const ahead = (days: number, happened: string | null) => (subject: WireSubject) =>
  expectRows(
    subject,
    { pages: [[row('ahead', { posted: dayIn(days), happened })]] },
    { rows: { ahead: { date: happened ?? dayIn(days), pending: false } } },
  );

const word =
  (status: string, seen: object | null, fields: Partial<WireRow> = {}) =>
  (subject: WireSubject) =>
    expectRows(
      subject,
      { pages: [[row('worded', { status, ...fields })]] },
      { rows: seen === null ? {} : { worded: seen } },
    );

export const RULES: readonly Rule[] = [
  {
    kind: 'rows posted ahead',
    promise: 'keeps rows that are posted ahead, on the day of the purchase if there is one',
    inputs: {
      '2 days with a known purchase': ahead(2, ago(4)),
      '20 days with a known purchase': ahead(20, ago(4)),
      '2 days': ahead(2, null),
      '20 days': ahead(20, null),
      'a purchase that is ahead': (subject) =>
        expectRows(
          subject,
          { pages: [[row('ahead', { posted: dayIn(20), happened: dayIn(10) })]] },
          { rows: { ahead: { date: dayIn(20) } } },
        ),
      'a window that has ended': (subject) =>
        expectRows(
          subject,
          {
            pages: [[row('ahead', { posted: dayIn(20) }), row('past', { posted: ago(5) })]],
            others: [],
            window: { ...windowUpTo(), to: ago(4) },
          },
          { rows: { past: { date: ago(5) } } },
        ),
    },
  },
  {
    kind: 'days that no calendar has',
    promise: 'reads a day that no calendar has as the last one of its month, or as another day',
    needs: 'days',
    inputs: {
      '30 February': (subject) => {
        const year =
          Number(today().slice(0, 4)) - (today() < `${today().slice(0, 4)}-03-02` ? 1 : 0);
        return expectRows(
          subject,
          {
            pages: [[row('leap', { posted: `${year}-02-30` })]],
            others: [],
            window: { from: `${year}-02-01`, to: `${year}-03-01` },
          },
          { rows: { leap: { date: lastOfFebruary(year) } } },
        );
      },
      'a 13th month': (subject) =>
        expectRows(
          subject,
          { pages: [[row('odd', { posted: `${today().slice(0, 4)}-13-01`, happened: ago(4) })]] },
          { rows: { odd: { date: ago(4) } } },
        ),
    },
  },
  {
    kind: 'words of posted rows',
    promise: 'counts a row with a word that its bank invented as posted',
    needs: 'words',
    inputs: Object.fromEntries(
      ['Gebucht', 'CARD_CENTER_OK', 'settled-by-clearing', 'done', '4711'].map((status) => [
        status,
        word(status, { pending: false, date: ago(3) }),
      ]),
    ),
  },
  {
    kind: 'words of pending rows',
    promise: 'counts a row as pending by the word of its bank in any case and spelling',
    needs: 'words',
    inputs: Object.fromEntries(
      ['pending', 'Pending', 'HOLD', 'authorised', 'not booked', 'UNPOSTED'].map((status) => [
        status,
        word(status === 'pending' ? 'Pending ' : status, { pending: true }),
      ]),
    ),
  },
  {
    kind: 'words of rows that are none',
    promise: 'leaves out rows that are planned, rejected or canceled, and its account is complete',
    needs: 'words',
    inputs: Object.fromEntries(
      [
        'SCHEDULED',
        'Scheduled',
        'future',
        'REJECTED',
        'declined',
        'CANCELLED',
        'canceled',
        'Void',
      ].map((status) => [status, word(status, null)]),
    ),
  },
  {
    kind: 'pages that fail',
    promise:
      'keeps what was read before a page that fails, names its account, and takes no other one',
    inputs: Object.fromEntries(
      Object.entries(FAILURES).map(([name, reply]) => [
        name,
        (subject) =>
          expectRows(
            subject,
            {
              pages: twoPages,
              instead: (at) => (at === 1 ? reply : null),
              isImpatient: reply.fate === 'silence',
            },
            { rows: { first: {} }, incomplete: 'refused' },
          ),
      ]),
    ),
  },
  {
    kind: 'first pages that fail',
    promise:
      'names an account whose first page fails, and reads the others, unless the permission ended or the source asks to wait',
    needs: 'listings',
    inputs: Object.fromEntries(
      Object.entries(FAILURES).map(([name, reply]) => [
        name,
        (subject) =>
          OF_THE_SOURCE.includes(name)
            ? expectEnd(subject, reply)
            : expectOtherAccount(subject, reply),
      ]),
    ),
  },
  {
    kind: 'listings without an end',
    promise: 'ends a listing that repeats itself or does not end, within a bound of calls',
    needs: 'keys',
    inputs: {
      'the last page names itself': (subject) =>
        expectRows(
          subject,
          { pages: twoPages, next: () => '1' },
          { rows: { first: {}, second: {} } },
        ),
      'an earlier page is named': (subject) =>
        expectRows(
          subject,
          {
            pages: [...twoPages, [row('third')]],
            next: (at) => ['1', '2', '1'][at] ?? null,
          },
          { rows: { first: {}, second: {}, third: {} }, incomplete: 'repeated' },
        ),
      'empty pages without an end': (subject) =>
        expectRows(
          subject,
          { pages: [[row('first')]], next: (at) => String(at + 1) },
          { rows: { first: {} }, incomplete: 'endless' },
        ),
      'empty pages before the last one': (subject) =>
        expectRows(
          subject,
          { pages: [[], [], [row('first')], [], [row('second')]] },
          { rows: { first: {}, second: {} } },
        ),
      'an empty key': (subject) =>
        expectRows(
          subject,
          { pages: [[row('first')]], next: () => '' },
          { rows: { first: {} }, maxCalls: 5 },
        ),
    },
  },
  {
    kind: 'repeated rows',
    promise: 'returns a row once that overlapping pages repeat',
    inputs: {
      'on the next page': (subject) =>
        expectRows(
          subject,
          {
            pages: [
              [row('first'), row('both')],
              [row('both'), row('second')],
            ],
          },
          { rows: { first: {}, both: {}, second: {} } },
        ),
      'on one page': (subject) =>
        expectRows(subject, { pages: [[row('both'), row('both')]] }, { rows: { both: {} } }),
      'pending ones': (subject) => {
        const pending = row('both', { status: 'pending', happened: ago(2) });
        return expectRows(
          subject,
          { pages: [[pending], [pending]] },
          { rows: { both: { pending: true } } },
        );
      },
    },
  },
  {
    kind: 'empty responses',
    promise: 'reads a listing without rows as complete',
    inputs: {
      'no rows': (subject) => expectRows(subject, { pages: [[]] }, { rows: {} }),
    },
  },
];

const lastOfFebruary = (year: number): string =>
  new Date(Date.UTC(year, 2, 0)).toISOString().slice(0, 10);

/** The number of inputs by which each rule is proven at a source, or why it has none. */
export const ruleCell = (rule: Rule, { lacks }: Pick<WireSubject, 'lacks'>): string | number =>
  (rule.needs === undefined ? undefined : lacks[rule.needs]) ?? Object.keys(rule.inputs).length;

// cspell:ignore Gebucht authorised
