import type {
  ProviderTransaction,
  TransactionWindow,
} from '../../../providers/contract/provider.js';
import { IMPATIENT, PATIENT } from '../limits.js';
import { readAll, type Reading } from '../untidy/readings.js';
import { startWireServer, type Reply } from './wire-server.js';
import {
  windowUpTo,
  type WireAccount,
  type WireRequest,
  type WireRow,
  type WireSubject,
} from './wire-subject.js';

/** The first has the listing under test, the other one shows what it takes with it. */
export const ACCOUNTS: readonly [WireAccount, WireAccount] = [
  { id: 'account-1', name: 'Checking', kind: 'checking', cents: 10_000 },
  { id: 'account-2', name: 'Card', kind: 'card', cents: -2_500 },
];

export interface Script {
  /** The pages of the first account. */
  pages: readonly (readonly WireRow[])[];
  /** The rows of the other one, on the first page of a source whose pages accounts share. */
  others: readonly WireRow[];
  /** The key after a page; by default that of the next page, null after the last one. */
  next?: (page: number) => string | null;
  /** What happens in place of a page of the first account; null = the page. */
  instead?: (page: number) => Reply | null;
  isImpatient?: boolean;
  window?: TransactionWindow;
}

export interface WireReading extends Reading {
  rows: readonly ProviderTransaction[];
  calls: readonly string[];
}

/** The rows that an adapter reads from a source that follows a script. */
export async function readRowsOf(subject: WireSubject, script: Script): Promise<WireReading> {
  const server = await startWireServer();
  try {
    server.reply = (url) => replyTo(subject, script, url);
    const limits = script.isImpatient === true ? IMPATIENT : PATIENT;
    const { provider, access } = await subject.open(server.url, ACCOUNTS, limits);
    access.knownAccounts = ACCOUNTS.map(({ id }) => id);
    const window = script.window ?? windowUpTo();
    const reading = await readAll('transactions', provider, access, window);
    const rows = [...reading.parts.values()].flatMap((its) => [...its.values()]);
    return {
      ...reading,
      rows: rows.map((text) => JSON.parse(text) as ProviderTransaction),
      calls: server.calls,
    };
  } finally {
    await server.close();
  }
}

function replyTo(subject: WireSubject, script: Script, url: URL): Reply {
  const request = subject.requestOf(url);
  if (request === null) return { body: subject.other?.() ?? {} };
  switch (request.about) {
    case 'accounts':
      return { body: subject.accountList(ACCOUNTS) };
    case 'account': {
      const account = ACCOUNTS.find(({ id }) => id === request.account) ?? ACCOUNTS[0];
      return { body: subject.accountPart?.(account, request.part) ?? {} };
    }
    case 'rows':
      return pageOf(subject, script, { url, request });
  }
}

function pageOf(
  subject: WireSubject,
  { pages, others, next, instead }: Script,
  { url, request: { account, page } }: { url: URL; request: WireRequest & { about: 'rows' } },
): Reply {
  const [first, other] = ACCOUNTS;
  const ofOther = page === 0 ? others.map((row) => subject.row(row)) : [];
  if (account === other.id) return { body: subject.page(new Map([[other, ofOther]]), null, url) };
  const replaced = instead?.(page) ?? null;
  if (replaced !== null) return replaced;
  const following = page + 1 < pages.length ? String(page + 1) : null;
  const its = (pages[page] ?? []).map((row) => subject.row(row));
  const rows = new Map([[first, its]]);
  if (account === null) rows.set(other, ofOther);
  return { body: subject.page(rows, next === undefined ? following : next(page), url) };
}
