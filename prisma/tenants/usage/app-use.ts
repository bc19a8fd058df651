import {
  APP_BOUNDS,
  BOUND_NAMES,
  BoundReached,
  countedOn,
  type BoundName,
} from '../../../domain/limits/app-bounds.js';
import type { PairShare } from '../../../domain/limits/pair-share.js';
import type { Context } from '../../base/context.js';
import { beforeCommit } from '../../base/database/before-commit.js';
import { loadSql } from '../../base/database/load-sql.js';
import type { Tx } from '../../base/database/tx.js';
import { lockOfApp } from './app-lock.js';

/** An app and one of its environments. */
export interface UsingApp {
  appId: string;
  environment: string;
  /** The part that the key pair of a request may take; missing = all of it. */
  share?: PairShare | undefined;
}

/** By bound; missing = 0. */
export type Amounts = Partial<Readonly<Record<BoundName, number>>>;

/** The change of one transaction to the use of one app, counted when it commits. */
interface Change {
  tenant: UsingApp;
  /** Amounts that a request of the app adds, within its bounds. */
  taken: Map<BoundName, number>;
  /** Amounts for which the request needs room without taking it. */
  needed: Map<BoundName, number>;
  /** Amounts counted regardless of the bounds. */
  counted: Map<BoundName, number>;
  slot: number;
}

const ofTransactions = new WeakMap<Tx, Map<string, Change>>();

/** Uncounted changes are spread over this many rows, so that fetches of one app do not wait for each other. */
const SLOTS = 15n;

/**
 * Counts what a request of an app adds, as the last statement of the transaction. If the app has no
 * room for it, the transaction fails with `BoundReached` and has no effect.
 * docs/decisions/operating/0050.
 */
export function takeRoom(ctx: Context, tx: Tx, tenant: UsingApp, amounts: Amounts): void {
  const change = changeOf(ctx, tx, tenant);
  for (const bound of named(amounts)) add(change.taken, bound, amounts[bound] ?? 0);
}

/** Fails like `takeRoom` if the app has no room for `amounts`, which a later step takes. */
export function needRoom(ctx: Context, tx: Tx, tenant: UsingApp, amounts: Amounts): void {
  const change = changeOf(ctx, tx, tenant);
  for (const bound of named(amounts)) add(change.needed, bound, amounts[bound] ?? 0);
}

/**
 * Counts stored or removed data regardless of the bounds: data of banks is never refused, and
 * deleting frees room. @param linkPk the link that changes
 */
export function countUse(
  ctx: Context,
  tx: Tx,
  tenant: UsingApp,
  amounts: Amounts,
  linkPk = 0n,
): void {
  const changed = named(amounts).filter((bound) => amounts[bound] !== 0);
  if (changed.length === 0) return;
  const change = changeOf(ctx, tx, tenant);
  change.slot = 1 + Number(linkPk % SLOTS);
  for (const bound of changed) add(change.counted, bound, amounts[bound] ?? 0);
}

/**
 * Refuses a request without room before it does its work, without a lock: `takeRoom` counts its
 * additions.
 * @throws BoundReached
 */
export async function requireRoom(
  ctx: Context,
  tx: Tx,
  tenant: UsingApp,
  amounts: Amounts,
): Promise<void> {
  await runTake(ctx, tx, tenant, { taken: new Map(), needed: toMap(amounts) }, false);
}

function changeOf(ctx: Context, tx: Tx, { appId, environment, share }: UsingApp): Change {
  let changes = ofTransactions.get(tx);
  if (changes === undefined) {
    const made = new Map<string, Change>();
    changes = made;
    ofTransactions.set(tx, made);
    beforeCommit(tx, () => settle(ctx, tx, made));
  }
  const key = `${appId}/${environment}`;
  const change: Change = changes.get(key) ?? {
    tenant: { appId, environment },
    taken: new Map(),
    needed: new Map(),
    counted: new Map(),
    slot: 1,
  };
  // Rows that a request adds do not know its key pair.
  change.tenant.share ??= share;
  changes.set(key, change);
  return change;
}

/**
 * Tenants and rows are locked in the same order everywhere, the lock of the app before its rows.
 */
async function settle(ctx: Context, tx: Tx, changes: ReadonlyMap<string, Change>): Promise<void> {
  for (const [, change] of [...changes].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const { tenant, counted, slot } = change;
    if (change.taken.size > 0 || change.needed.size > 0) {
      await tx.$queryRawUnsafe(
        'SELECT pg_advisory_xact_lock($1::bigint) IS NULL AS locked',
        lockOfApp(tenant),
      );
      await runTake(ctx, tx, tenant, change, true);
    }
    const bounds = BOUND_NAMES.filter((bound) => (counted.get(bound) ?? 0) !== 0);
    if (bounds.length === 0) continue;
    await tx.$executeRawUnsafe(
      loadSql('add-use'),
      tenant.appId,
      tenant.environment,
      slot,
      bounds,
      bounds.map((bound) => countedOn(bound, ctx.clock())),
      bounds.map((bound) => BigInt(counted.get(bound) ?? 0)),
      '',
    );
  }
}

async function runTake(
  ctx: Context,
  tx: Tx,
  tenant: UsingApp,
  { taken, needed }: Pick<Change, 'taken' | 'needed'>,
  counts: boolean,
): Promise<void> {
  const exceeded = await tx.$queryRawUnsafe<ExceededRow[]>(
    loadSql('take-room'),
    ...takeValues(ctx, tenant, { taken, needed }, counts),
  );
  refuseExceeded(exceeded, ctx.clock());
}

/** A bound without room, with the limit of the app. */
export interface ExceededRow {
  bound: BoundName;
  max: number;
  is_of_pair: boolean;
}

/** @throws BoundReached for the first of them */
export function refuseExceeded([first]: readonly ExceededRow[], now: Date): void {
  if (first === undefined) return;
  throw new BoundReached(first.bound, first.max, now, { isOfPair: first.is_of_pair });
}

/** Stored data is not that of a key pair: any of them may delete it. */
const DAILY = BOUND_NAMES.filter((bound) => APP_BOUNDS[bound].kind === 'daily');

/** The parameters of take-room.sql. */
export function takeValues(
  ctx: Pick<Context, 'bounds' | 'clock'>,
  { appId, environment, share }: UsingApp,
  { taken, needed }: Pick<Change, 'taken' | 'needed'>,
  counts: boolean,
): [
  string,
  string,
  string[],
  string[],
  bigint[],
  bigint[],
  bigint[],
  boolean,
  string,
  number,
  BoundName[],
] {
  const bounds = BOUND_NAMES.filter((bound) => taken.has(bound) || needed.has(bound));
  const now = ctx.clock();
  return [
    appId,
    environment,
    bounds,
    bounds.map((bound) => countedOn(bound, now)),
    bounds.map((bound) => BigInt(taken.get(bound) ?? 0)),
    bounds.map((bound) => BigInt((taken.get(bound) ?? 0) + (needed.get(bound) ?? 0))),
    bounds.map((bound) => BigInt(ctx.bounds[bound])),
    counts,
    share?.clientId ?? '',
    share?.percent ?? 100,
    DAILY,
  ];
}

export function toMap(amounts: Amounts): Map<BoundName, number> {
  return new Map(named(amounts).map((bound) => [bound, amounts[bound] ?? 0]));
}

function named(amounts: Amounts): BoundName[] {
  return BOUND_NAMES.filter((bound) => amounts[bound] !== undefined);
}

function add(amounts: Map<BoundName, number>, bound: BoundName, amount: number): void {
  amounts.set(bound, (amounts.get(bound) ?? 0) + amount);
}
