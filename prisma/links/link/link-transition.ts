import { TransitionRefused } from '../../../domain/errors/change-refused.js';
import type { StateChange } from '../../../domain/announcements/happening.js';
import {
  FETCH_FAULTS,
  type LinkError,
  type LinkStatus,
  type LinkState,
} from '../../../domain/link/link-state.js';
import {
  judgeTransition,
  type LinkEvent,
  type Verdict,
} from '../../../domain/link/link-transitions.js';
import { countsTowardLimit } from '../../../domain/link/trial-limit.js';
import { productErrorOfLinkError } from '../../../domain/link/product-state.js';
import type { Product, ProductSettings } from '../../../domain/link/products.js';
import type { WebhookFormat } from '../../../domain/webhooks/webhook-format.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { loadSql } from '../../base/database/load-sql.js';
import { endSession } from '../sessions/end-session.js';
import { enqueueCommand } from '../../base/outbox/outbox.js';
import { releaseCredential } from '../../sources/permissions/release-permission.js';
import { reserveTrialPlace } from '../../tenants/applications/trial-places.js';
import { countUse, takeRoom } from '../../tenants/usage/app-use.js';
import { clockOf } from '../../worlds/world-clock.js';
import { announce } from '../../announcements/events/announce.js';
import type { LinkRow } from '../../announcements/events/record-webhook-event.js';
import { eraseUnused, securitiesOf } from '../investments/erase-securities.js';
import { failWithLink, findUnfinishedProducts } from './product-failure.js';

export interface TransitionDetail {
  /** Free text for `error_message`; no secret. */
  errorMessage?: string | null;
  /** The finer cause, for operators. */
  errorCause?: string | null;
  /** The change was caused by a session that the client of the link created. */
  isExpected?: boolean;
}

export interface Transition {
  changed: boolean;
  verdict: Verdict;
  /** The row as it is now. */
  link: LinkRow;
}

/** Locks the link until the end of the transaction and reads it. */
export async function lockLink(tx: Tx, linkPk: bigint): Promise<LinkRow> {
  const [link] = await tx.$queryRawUnsafe<LinkRow[]>(loadSql('lock-link'), linkPk);
  if (link === undefined) throw new Error('the link is gone');
  return link;
}

/** Locks a link by its id; null = there is none. */
export async function lockLinkById(tx: Tx, linkId: string): Promise<LinkRow | null> {
  const [link] = await tx.$queryRawUnsafe<LinkRow[]>(loadSql('lock-link-by-id'), linkId);
  return link ?? null;
}

export function standingOf(link: LinkRow): LinkStatus {
  return {
    state: link.state as LinkState,
    error: link.errorCode as LinkError | null,
    everConnected: link.connectedAt !== null,
  };
}

export interface NewLink {
  linkId: string;
  appId: string;
  environment: string;
  clientId: string;
  customerUserPk: bigint;
  institutionId: string;
  provider: string;
  tags: readonly string[];
  webhook: string | null;
  webhookFormat?: WebhookFormat;
  institutionAlias?: string | null;
  historyDays?: number | null;
  worldId: string;
  /** Set for an imported link, which has data before its first connection. */
  importedAt?: Date;
  products: readonly { product: Product; position: number; settings: ProductSettings }[];
}

/**
 * Creates a link by the event that allows it in the state table, and announces it like any other
 * change. The link counts against LINKS_PER_APP when the transaction commits, which fails with
 * `BoundReached` if there is no place.
 * @throws TrialLimitReached when it exceeds the limit of Live links
 */
export async function createLink(
  ctx: Context,
  tx: Tx,
  { products, tags, importedAt, ...facts }: NewLink,
  event: LinkEvent,
  { errorMessage = null }: TransitionDetail = {},
): Promise<LinkRow> {
  const verdict = judgeTransition(null, event);
  if (verdict.kind !== 'change') throw new TransitionRefused(facts.linkId, event.type, 'absent');
  await reserveTrialPlace(tx, facts);
  takeRoom(ctx, tx, facts, { links: 1 });
  const now = await clockOf(ctx, tx, facts);
  const link = await tx.link.create({
    data: {
      ...facts,
      tags: [...tags],
      state: verdict.state,
      errorCode: verdict.error,
      errorMessage,
      createdAt: now,
      ...(importedAt === undefined ? {} : { importedAt, connectedAt: importedAt }),
      products: {
        create: products.map(({ product, position, settings }) => ({
          product,
          position,
          required: settings.required,
          prefetch: settings.prefetch,
          requirePermission: settings.require_permission,
          reason: settings.reason,
          extendHistory: settings.extend_history,
          createdAt: now,
        })),
      },
    },
  });
  await announce(ctx, tx, link, stateChange(null, link));
  return link;
}

/**
 * The only function that changes the state of a link: the state, its consequences and the
 * announcement, in the caller's transaction. The table of domain/link/link-transitions.ts decides;
 * an event it refuses throws `TransitionRefused`. A link that starts to count again takes a trial
 * place, or throws `TrialLimitReached`.
 */
export async function transitionLink(
  ctx: Context,
  tx: Tx,
  linkPk: bigint,
  event: LinkEvent,
  detail: TransitionDetail = {},
): Promise<Transition> {
  const before = await lockLink(tx, linkPk);
  const verdict = judgeTransition(standingOf(before), event);
  if (verdict.kind === 'refused')
    throw new TransitionRefused(before.linkId, event.type, before.state);
  if (verdict.kind !== 'change') return { changed: false, verdict, link: before };

  const after = {
    state: verdict.state,
    error: verdict.error,
    everConnected: before.connectedAt !== null || verdict.state === 'connected',
  };
  if (countsTowardLimit(after) && !countsTowardLimit(standingOf(before)))
    await reserveTrialPlace(tx, before);
  const now = await clockOf(ctx, tx, before);
  const inError = verdict.state === 'error';
  const errorMessage = inError ? (detail.errorMessage ?? null) : null;
  if (inError && before.state === 'connected' && verdict.error !== null)
    await failRunningProducts(ctx, tx, before, {
      error: verdict.error,
      message: errorMessage,
      now,
    });
  if (inError && before.connectedAt === null) await dropFetchedData(ctx, tx, before);
  if (verdict.state === 'deleted') {
    await eraseLink(ctx, tx, before);
    countUse(ctx, tx, before, { links: -1 }, linkPk);
  }

  const link = await tx.link.update({
    where: { pk: linkPk },
    data: {
      state: verdict.state,
      errorCode: verdict.error,
      errorMessage,
      errorCause: inError ? (detail.errorCause ?? null) : null,
      revision: { increment: 1 },
      ...(verdict.state === 'connected' && before.connectedAt === null ? { connectedAt: now } : {}),
      ...(verdict.state === 'deleted' ? { deletedAt: now } : {}),
      ...placeInSchedule(verdict.state, verdict.error, now),
      ...(verdict.state === 'awaiting_token_exchange' ? {} : { exchangeExpiresAt: null }),
    },
  });
  await announce(ctx, tx, link, stateChange(before, link, detail));
  return { changed: true, verdict, link };
}

function stateChange(
  before: LinkRow | null,
  link: LinkRow,
  { isExpected = false }: TransitionDetail = {},
): StateChange {
  const { state, error } = standingOf(link);
  return {
    kind: 'state_changed',
    state,
    error,
    errorMessage: link.errorMessage,
    errorCause: link.errorCause,
    previousError: before === null ? null : standingOf(before).error,
    isExchanged: link.connectedAt !== null,
    isExpected,
  };
}

/** link-lifecycle 7.4: only links in `connected`, and those in a fault kind, are refreshed by schedule. */
function placeInSchedule(
  state: LinkState,
  error: LinkError | null,
  now: Date,
): { nextDueAt?: Date | null; slowDueAt?: null } {
  // Due immediately; the collection of due links then sets its next times.
  if (state === 'connected') return { nextDueAt: now, slowDueAt: null };
  return error !== null && FETCH_FAULTS.includes(error) ? {} : { nextDueAt: null, slowDueAt: null };
}

/**
 * The unfinished products of a link fail with it, and no user waits for their fetches any longer.
 */
async function failRunningProducts(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  { error, message, now }: { error: LinkError; message: string | null; now: Date },
): Promise<void> {
  const reason = {
    productError: productErrorOfLinkError(error),
    text: message ?? 'The link is no longer connected.',
    cause: null,
  };
  await failWithLink(ctx, tx, link, await findUnfinishedProducts(tx, link.pk), { reason, now });
  await tx.providerCredential.updateMany({
    where: { linkPk: link.pk, loginUser: { not: null } },
    data: { loginUser: null },
  });
}

/** link-lifecycle 9: a link that was never exchanged loses its fetched data when it enters `error`. */
async function dropFetchedData(ctx: Context, tx: Tx, link: LinkRow): Promise<void> {
  await eraseData(ctx, tx, link);
  await tx.linkProduct.updateMany({
    where: { linkPk: link.pk },
    data: {
      state: null,
      stateChangedAt: null,
      refreshedAt: null,
      lastAttemptedAt: null,
      attemptBeganAt: null,
      errorCode: null,
      errorMessage: null,
      unavailable: null,
      hasHistory: false,
    },
  });
}

/**
 * link-lifecycle 9: open sessions of the link end; stored secrets and product data are erased
 * immediately. Running fetches are fenced off here and ended by the workflow that revokes the
 * permission.
 */
async function eraseLink(ctx: Context, tx: Tx, link: LinkRow): Promise<void> {
  await tx.linkProduct.updateMany({
    where: { linkPk: link.pk, state: { in: ['pending', 'in_progress'] } },
    data: { state: 'failed', stateChangedAt: ctx.clock() },
  });
  const open = await tx.linkSession.findMany({
    where: { linkPk: link.pk, state: { in: ['created', 'open', 'succeeded'] } },
  });
  for (const session of open) {
    await endSession(ctx, tx, session.sessionId, 'link_deleted');
    await enqueueCommand(tx, {
      kind: 'signalSession',
      sessionId: session.sessionId,
      mode: session.beganAs === 'relink' ? 'relink' : 'link',
      signal: 'ended',
    });
  }
  await eraseData(ctx, tx, link);
  await enqueueCommand(tx, { kind: 'startLinkDeletion', linkId: link.linkId });
}

async function eraseData(ctx: Context, tx: Tx, link: LinkRow): Promise<void> {
  const { pk: linkPk, linkId } = link;
  await releaseCredential(ctx, tx, link);
  await tx.link.update({
    where: { pk: linkPk },
    data: {
      // Positions keep counting up, so none is reused, and void ones stay behind.
      announcedSeq: 0,
      lastSyncedAt: null,
      permissionEndsAt: null,
      endNoticeDueAt: null,
      announcedAccounts: [],
      awaitedAccounts: [],
      refreshRun: { increment: 1 },
    },
  });
  // These rows name accounts.
  await tx.linkProduct.updateMany({ where: { linkPk }, data: { incomplete: [] } });
  const securities = await securitiesOf(tx, linkPk);
  const { count: rows } = await tx.transactionVersion.deleteMany({ where: { linkPk } });
  const { count: trades } = await tx.investmentTransactionVersion.deleteMany({ where: { linkPk } });
  countUse(ctx, tx, link, { rows: -(rows + trades) }, linkPk);
  await tx.recurringSearch.deleteMany({ where: { linkPk } });
  await tx.account.deleteMany({ where: { linkPk } });
  await eraseUnused(tx, securities);
  await tx.heldEvent.deleteMany({ where: { linkPk } });
  await tx.refreshRequest.deleteMany({ where: { linkPk } });
  await ctx.sealer.eraseKey(tx, `link/${linkId}`);
}
