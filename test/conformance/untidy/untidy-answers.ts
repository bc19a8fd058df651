import { createHash } from 'node:crypto';
import { parse, stringify } from 'lossless-json';
import { PRODUCTS, type Product } from '../../../domain/link/products.js';
import type { Provider, TransactionWindow } from '../../../providers/contract/provider.js';
import { accessWith, loginContext, PRESENT_USER } from '../../support/fixtures/provider-calls.js';
import { PATIENT } from '../limits.js';
import type { ConformanceLogin, ConformanceTarget } from '../targets.js';
import { judgeReading } from './judge-reading.js';
import { startMutatingProxy } from './mutating-proxy.js';
import { mutate, MUTATION_NAMES, type Json, type MutationName, type Untidy } from './mutations.js';
import { itemsAround, placesIn, replaceAt, textsIn, type Place } from './places.js';
import { OPERATIONS, readAll, type Operation, type Reading } from './readings.js';
import type { Exception, UntidySubject } from './untidy-subject.js';

const DAY_MS = 86_400_000;
/** Enough for every kind of row. */
const WINDOW_DAYS = 16;
const MAX_CALLS_PER_ACCOUNT = 60;

/** One change of one value in one response, read by one operation. */
export interface UntidyCase {
  operation: Operation;
  /** Path and query. */
  request: string;
  /** The resource and the place in it, without ids and positions. */
  field: string;
  place: Place;
  name: MutationName;
}

export interface Finding {
  field: string;
  operation: Operation;
  name: MutationName;
  complaint: string;
}

export interface UntidyRun {
  /** Ran. */
  cases: number;
  findings: Finding[];
  /** Entries of the table that no case needed. */
  unneeded: Exception[];
}

/** An adapter in front of its counterpart, whose responses can be changed one value at a time. */
export interface UntidyAnswers {
  /** The resources with their places. Each was changed in every way. */
  fields: readonly string[];
  cases: readonly UntidyCase[];
  run(cases: readonly UntidyCase[]): Promise<UntidyRun>;
  close(): Promise<void>;
}

export async function openUntidyAnswers(
  target: ConformanceTarget,
  login: ConformanceLogin,
  subject: UntidySubject,
): Promise<UntidyAnswers> {
  const { remoteId } = login;
  const proxy = await startMutatingProxy(target.origin, shorterPages(subject));
  const outcome = await login.logIn(target.provider, loginContext({ remoteId }));
  if (outcome.kind !== 'linked') throw new Error('expected a permission');
  const { credential } = outcome;
  const provider = target.at(proxy.url, { ...PATIENT, maxResponseBytes: 4 * 1024 * 1024 });
  // The same object, because renewals replace the credential in it.
  const access = Object.assign(accessWith(outcome, remoteId, PRESENT_USER), {
    credential: target.credentialAt?.(credential, proxy.url) ?? credential,
    products: PRODUCTS,
  });
  const window = lastDays(WINDOW_DAYS);
  const read = (operation: Operation): Promise<Reading> =>
    readAll(operation, provider, access, window);

  const truths = new Map<Operation, Reading>();
  const requests = new Map<Operation, readonly string[]>();
  const knownAccounts = [...(await read('accounts')).parts.keys()];
  access.knownAccounts = knownAccounts;
  for (const operation of operationsOf(provider, remoteId)) {
    proxy.resetCalls();
    const truth = await read(operation);
    if (truth.failure !== null) throw truth.failure;
    if (truth.problems.length + truth.faults.length > 0)
      throw new Error(`${operation}: ${JSON.stringify([truth.problems, truth.faults])}`);
    truths.set(operation, truth);
    requests.set(operation, [...new Set(proxy.calls())]);
  }
  const accountOf = new Map([
    ...knownAccounts.map((id) => [id, id] as const),
    ...(subject.aliases?.(access) ?? []),
  ]);
  // Without refusals, and without responses to requests other than GET.
  const answers = new Map<string, Json>(
    [...proxy.answers].map(([request, body]) => [request, parse(body)]),
  );
  const cases = [...requests].flatMap(([operation, its]) =>
    its
      .filter((request) => answers.has(request))
      .flatMap((request) =>
        placesIn(answers.get(request)).flatMap((place) =>
          casesAt(place, {
            operation,
            request,
            field: `${resourceOf(request, accountOf)} ${place.template}`.trim(),
          }),
        ),
      ),
  );
  return {
    fields: [...new Set(cases.map(({ field }) => field))],
    cases,
    run,
    close: () => proxy.close(),
  };

  async function run(chosen: readonly UntidyCase[]): Promise<UntidyRun> {
    const findings: Finding[] = [];
    const needed = new Set<Exception>();
    let last: UntidyCase | undefined;
    for (const one of chosen) {
      if (last !== undefined && (last.field !== one.field || last.operation !== one.operation))
        await expectTruth(last);
      await runCase(one);
      last = one;
    }
    if (last !== undefined) await expectTruth(last);
    const unneeded = subject.exceptions.filter((exception) => !needed.has(exception));
    return { cases: chosen.length, findings, unneeded };

    async function runCase(one: UntidyCase): Promise<void> {
      const { operation, request, field, name, place } = one;
      const answer = answers.get(request);
      const untidy = mutate(name, place);
      const truth = truths.get(operation);
      if (untidy === undefined || truth === undefined) return;
      const changed = replaceAt(answer, place.path, untidy);
      proxy.replace(request, stringify(changed));
      proxy.resetCalls();
      const got = await read(operation);
      const { complaints, takesScopeDown } = judgeReading(got, {
        truth,
        affected: affectedBy(request, [answer, changed], place, accountOf),
        isStatement: isStatement(place, untidy),
        calls: proxy.calls().length,
        maxCalls: MAX_CALLS_PER_ACCOUNT * knownAccounts.length,
      });
      const exception = subject.exceptions.find(
        (it) => it.place === field && (it.operations?.includes(operation) ?? true),
      );
      if (takesScopeDown && exception !== undefined) needed.add(exception);
      if (takesScopeDown && exception === undefined)
        complaints.push(`takes everything down (${causeOf(got.failure)})`);
      const serious = complaints.filter(
        (text) => exception === undefined || !text.startsWith('loses '),
      );
      for (const complaint of serious) findings.push({ field, operation, name, complaint });
    }

    /** The response is restored, and so is the adapter's reading. */
    async function expectTruth({ operation, field, name }: UntidyCase): Promise<void> {
      proxy.replace(null);
      const got = await read(operation);
      if (JSON.stringify(contentOf(got)) !== JSON.stringify(contentOf(truths.get(operation))))
        findings.push({ field, operation, name, complaint: 'differs from the truth later' });
    }
  }
}

/**
 * Each field in about half of the ways, each at one of its places. The selection is derived from
 * the names, so that it is the same in every run.
 */
export function sampleOf(cases: readonly UntidyCase[]): UntidyCase[] {
  const groups = new Map<string, UntidyCase[]>();
  for (const one of cases) {
    const key = [one.operation, one.field, one.name].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups].flatMap(([key, its]) => {
    const drawn = createHash('sha256').update(key).digest().readUInt32BE(0);
    const chosen = its[(drawn >>> 1) % its.length];
    return chosen === undefined || drawn % 2 === 0 ? [] : [chosen];
  });
}

const casesAt = (
  place: Place,
  where: Pick<UntidyCase, 'operation' | 'request' | 'field'>,
): UntidyCase[] =>
  MUTATION_NAMES.filter((name) => isPossible(name, place)).map((name) => ({
    ...where,
    place,
    name,
  }));

/** A response cannot be omitted. */
const isPossible = (name: MutationName, place: Place): boolean =>
  mutate(name, place) !== undefined && (name !== 'absent' || place.path.length > 0);

const PRODUCT_OF: Readonly<Record<Operation, Product>> = {
  accounts: 'accounts',
  transactions: 'transactions',
  account_numbers: 'account_numbers',
  identity: 'identity',
  holdings: 'investments',
  investment_transactions: 'investments',
  liabilities: 'liabilities',
};

function operationsOf(provider: Provider, remoteId: string): Operation[] {
  const listed = provider.institutions().find((institution) => institution.remoteId === remoteId);
  const methods: Readonly<Record<Operation, unknown>> = {
    accounts: provider.fetchAccounts,
    transactions: provider.fetchTransactions,
    account_numbers: provider.fetchAccountNumbers,
    identity: provider.fetchIdentity,
    holdings: provider.fetchHoldings,
    investment_transactions: provider.fetchInvestmentTransactions,
    liabilities: provider.fetchLiabilities,
  };
  return OPERATIONS.filter(
    (operation) =>
      methods[operation] !== undefined &&
      (listed?.products.includes(PRODUCT_OF[operation]) ?? true),
  );
}

/** The accounts that a value belongs to, before and after; null if it is outside of all. */
function affectedBy(
  request: string,
  answers: readonly Json[],
  { path }: Place,
  accountOf: ReadonlyMap<string, string>,
): ReadonlySet<string> | null {
  const accountsIn = (texts: readonly string[]) =>
    texts.flatMap((text) => accountOf.get(text) ?? []);
  const ofRequest = accountsIn(segmentsOf(request));
  if (ofRequest.length > 0) return new Set(ofRequest);
  for (const depth of itemsAround(answers[0], path).keys()) {
    const found = answers.flatMap((answer) =>
      accountsIn(textsIn(itemsAround(answer, path)[depth])),
    );
    if (found.length > 0) return new Set(found);
  }
  return null;
}

/** A tidy response may omit an item, or list none. */
function isStatement({ path, value }: Place, untidy: Untidy): boolean {
  if (untidy === 'absent') return typeof path.at(-1) === 'number';
  return Array.isArray(value) && Array.isArray(untidy.value) && untidy.value.length === 0;
}

const segmentsOf = (request: string): string[] =>
  (request.split('?')[0] ?? '').split('/').map(decodeURIComponent);

/** `/accounts/{id}/transactions`. */
function resourceOf(request: string, accountOf: ReadonlyMap<string, string>): string {
  const segments = segmentsOf(request).map((segment) =>
    accountOf.has(segment) || /^(?=.*\d)[\w-]{16,}$/.test(segment) ? '{id}' : segment,
  );
  const start = segments.findIndex((segment) =>
    ['accounts', 'connections', 'sessions'].includes(segment),
  );
  return `/${segments.slice(start).join('/')}`;
}

function shorterPages({ pageSize }: UntidySubject) {
  return (request: string): string => {
    const [path = '', query] = request.split('?');
    const size = pageSize?.sizes[path.split('/').at(-1) ?? ''];
    const parameters = new URLSearchParams(query);
    if (pageSize === undefined || size === undefined || !parameters.has(pageSize.name))
      return request;
    parameters.set(pageSize.name, String(size));
    return `${path}?${parameters.toString()}`;
  };
}

const contentOf = (reading: Reading | undefined) =>
  reading && [
    [...reading.parts].map(([account, parts]) => [account, [...parts]]),
    reading.faults,
    [...reading.unreported],
    reading.covered,
    reading.failure,
  ];

const causeOf = (failure: unknown): string =>
  failure === null
    ? 'silently'
    : String((failure as { providerCause?: unknown }).providerCause ?? failure);

function lastDays(days: number): TransactionWindow {
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
  return { from: day(days - 1), to: day(0) };
}
