import type { FetchedAccount } from '../../../domain/refresh/fetched-data.js';
import {
  addedProducts,
  awaitedAccounts,
  grantedProducts,
  sharedAccounts,
  type AccountRefs,
  type Permission,
} from '../../../domain/session/linking-questions.js';
import { ordinarySource, type SourceFactsOf } from '../../../domain/refresh/source-facts.js';
import { storedIncomplete } from '../../../domain/refresh/incomplete-product.js';
import { PRODUCTS, type Product } from '../../../domain/link/products.js';
import type { Context } from '../../base/context.js';
import { asJson } from '../../base/database/json-column.js';
import type { Tx } from '../../base/database/tx.js';
import type { LinkSession } from '../../generated/client.js';
import { keptLogin, type KeptLogin } from '../../sources/permissions/accepted-login.js';
import { lockLink, transitionLink } from '../../links/link/link-transition.js';
import { readPermission, type LinkingPermission } from './linking-permission.js';
import { eraseCredential, storeCredential } from '../../sources/permissions/provider-credential.js';
import {
  credentialToRevoke,
  releasePermission,
} from '../../sources/permissions/release-permission.js';
import { refuseDuplicate } from './duplicate-link.js';
import { forgetLoginUser, keepLoginUser } from '../refresh/login-user.js';
import { requestRefresh } from '../refresh/request-refresh.js';
import { recordBalances } from '../../links/accounts/record-balances.js';
import { storePermissionEnd } from '../../links/link/store-permission-end.js';
import { announce } from '../../announcements/events/announce.js';
import { newAccount } from '../../links/accounts/new-account.js';
import type { LinkRow } from '../../announcements/events/record-webhook-event.js';

/** The input for the end of linking besides the answers. */
export interface LinkingEnd {
  exchangeExpiresAt: Date;
  /** The facts of the links' sources; the defaults if omitted. */
  sources?: SourceFactsOf | undefined;
}

interface EndOfLogin {
  login: KeptLogin;
  exchangeExpiresAt: Date;
  historyFirst: boolean;
}

/** The answers of the user; null = there was no question. */
export interface LinkingAnswers {
  granted: readonly Product[] | null;
  refs: AccountRefs;
}

/**
 * Completes linking, in the transaction of its caller: stores the permission of the bank and the
 * choices of the user in the link, changes its state, and requests the first fetches. False = the
 * session has no accepted login.
 * @throws TrialLimitReached, DuplicateInstitution
 */
export async function finishLinking(
  ctx: Context,
  tx: Tx,
  session: LinkSession & { linkPk: bigint },
  answers: LinkingAnswers,
  { exchangeExpiresAt, sources = ordinarySource }: LinkingEnd,
): Promise<boolean> {
  const login = await keptLogin(ctx, tx, session.sessionId);
  if (login === null) return false;
  const link = await lockLink(tx, session.linkPk);
  await refuseDuplicate(tx, session, link.institutionId);
  const found = await readPermission(ctx, tx, session, login);
  const granted = grantedProducts(found.permission, answers.granted);
  await replaceCredential(ctx, tx, link, session.provider ?? link.provider, login);
  await storeProducts(ctx, tx, link, found.permission, granted);
  await storeAccounts(ctx, tx, link, found, sharedAccounts(found.permission, answers.refs));
  await storeAwaited(tx, link, found, awaitedAccounts(found.permission, answers.refs));
  await keepLoginUser(ctx, tx, link, session.sessionId);
  if (session.mode === 'relink') await finishRelink(ctx, tx, link, session);
  else {
    const { historyFirst } = sources(session.provider ?? link.provider);
    await finishNewLink(ctx, tx, link, { login, exchangeExpiresAt, historyFirst });
  }
  await storePermissionEnd(ctx, tx, await lockLink(tx, link.pk), login.permissionEndsAt ?? null, {
    isRenewed: true,
  });
  await forgetLoginUser(tx, link.pk);
  await tx.linkSession.update({
    where: { sessionId: session.sessionId },
    data: { succeededAt: ctx.clock() },
  });
  return true;
}

/**
 * linking_done: the accounts are already fetched, which is announced after the exchange
 * (link-lifecycle 5).
 */
async function finishNewLink(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  { login, exchangeExpiresAt, historyFirst }: EndOfLogin,
): Promise<void> {
  const { acceptedAt } = login;
  await tx.linkProduct.updateMany({
    where: { linkPk: link.pk, product: 'accounts' },
    data: {
      state: 'completed',
      stateChangedAt: acceptedAt,
      refreshedAt: acceptedAt,
      lastAttemptedAt: acceptedAt,
      errorCode: null,
      errorMessage: null,
      incomplete: asJson(storedIncomplete(login.incomplete ?? [], [], acceptedAt)),
    },
  });
  const { link: linked } = await transitionLink(ctx, tx, link.pk, { type: 'linking_done' });
  await tx.link.update({
    where: { pk: link.pk },
    data: { exchangeExpiresAt, lastSyncedAt: acceptedAt },
  });
  await announce(ctx, tx, linked, {
    kind: 'product_settled',
    product: 'accounts',
    state: 'completed',
    at: acceptedAt,
    errorMessage: null,
  });
  const wanted = await tx.linkProduct.findMany({
    where: {
      linkPk: link.pk,
      granted: true,
      product: { not: 'accounts' },
      // A history that is available only now is fetched now, even if the app does not want it
      // early.
      OR: [{ prefetch: true }, ...(historyFirst ? [{ extendHistory: true }] : [])],
    },
    orderBy: { position: 'asc' },
  });
  await requestRefresh(
    ctx,
    tx,
    linked,
    wanted.map(({ product }) => product as Product),
    'prefetch',
  );
}

/** relink_done: address and tags of the session apply from here on, including the event of this change (link-lifecycle 8). */
async function finishRelink(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  session: LinkSession,
): Promise<void> {
  await tx.link.update({
    where: { pk: link.pk },
    data: {
      revision: { increment: 1 },
      ...(session.webhookGiven ? { webhook: session.webhook, webhookDisabledAt: null } : {}),
      ...(session.tagsGiven ? { tags: session.tags } : {}),
    },
  });
  const { link: connected } = await transitionLink(
    ctx,
    tx,
    link.pk,
    { type: 'relink_done' },
    { isExpected: session.webhookFormat === link.webhookFormat },
  );
  const products = await tx.linkProduct.findMany({
    where: { linkPk: link.pk, granted: true },
    orderBy: { position: 'asc' },
  });
  await requestRefresh(
    ctx,
    tx,
    connected,
    products.map(({ product }) => product as Product),
    'relink',
  );
}

/** Revokes the previous permission of the link, unless the bank renewed it under the same reference. */
async function replaceCredential(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  provider: string,
  { credential, reference }: KeptLogin,
): Promise<void> {
  const before = await credentialToRevoke(ctx, tx, link);
  // A credential that cannot be opened is erased with its data key, which could not seal a new one.
  if (before === null) await eraseCredential(ctx, tx, link);
  const isOther = before === null || before.provider !== provider || before.reference !== reference;
  if (before !== null && isOther) await releasePermission(ctx, tx, link, before);
  // link-lifecycle 8: rows that arrive under different ids from here on are still the same rows.
  if (isOther && link.connectedAt !== null)
    await tx.link.update({ where: { pk: link.pk }, data: { matchRows: true } });
  await storeCredential(ctx, tx, link, { provider, reference, credential });
  if (provider !== link.provider || link.moveTo !== null)
    await tx.link.update({ where: { pk: link.pk }, data: { provider, moveTo: null } });
}

/** Settings of products granted earlier stay (link-lifecycle 8); a declined product is stored as not granted. */
async function storeProducts(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  permission: Permission,
  granted: readonly Product[],
): Promise<void> {
  for (const product of addedProducts(permission)) {
    const settings = permission.requested[product];
    if (settings === undefined) continue;
    const row = {
      granted: granted.includes(product),
      required: settings.required,
      prefetch: settings.prefetch,
      requirePermission: settings.require_permission,
      reason: settings.reason,
      extendHistory: settings.extend_history,
    };
    await tx.linkProduct.upsert({
      where: { linkPk_product: { linkPk: link.pk, product } },
      create: {
        linkPk: link.pk,
        product,
        position: PRODUCTS.indexOf(product),
        createdAt: ctx.clock(),
        ...row,
      },
      update: row,
    });
  }
}

/**
 * A known account keeps its id. For an account that is not shared, only its identifying marks are
 * stored.
 */
async function storeAccounts(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  { permission, recognized }: LinkingPermission,
  shared: ReadonlySet<string>,
): Promise<void> {
  const listed = permission.accounts.map(({ account }, position) => ({
    account,
    position,
    row: recognized.get(account),
    permitted: shared.has(account.providerAccountId),
  }));
  for (const { account, row, permitted } of listed) {
    if (row === undefined) continue;
    const isNew = permitted && !row.permitted;
    const isListed = !row.closed && row.missingSince === null;
    if (!isNew && isListed && row.providerAccountId === account.providerAccountId) continue;
    await tx.account.update({
      where: { pk: row.pk },
      data: {
        providerAccountId: account.providerAccountId,
        closed: false,
        missingSince: null,
        ...(isNew ? { permitted, ...balancesOf(account) } : {}),
      },
    });
  }
  // The rows of a reissued account may have other ids, too.
  if (listed.some(({ account, row }) => row && row.providerAccountId !== account.providerAccountId))
    await tx.link.update({ where: { pk: link.pk }, data: { matchRows: true } });
  await tx.account.createMany({
    data: listed.flatMap(({ account, position, row, permitted }) =>
      row !== undefined
        ? []
        : [
            {
              ...newAccount(ctx, link, account, position),
              ...(permitted ? balancesOf(account) : {}),
              permitted,
            },
          ],
    ),
  });
  await recordBalances(ctx, tx, link);
}

/** Awaited accounts that are still not listed stay awaited. */
async function storeAwaited(
  tx: Tx,
  { pk, awaitedAccounts: before }: LinkRow,
  { permission, awaited }: LinkingPermission,
  chosen: readonly string[],
): Promise<void> {
  const isListed = new Set(permission.accounts.map(({ account }) => account.providerAccountId));
  const after = [...new Set([...awaited, ...chosen])].filter((id) => !isListed.has(id));
  if (before.length + after.length === 0) return;
  await tx.link.update({ where: { pk }, data: { awaitedAccounts: after } });
}

function balancesOf({ available, current, limit, balanceDate }: FetchedAccount) {
  return {
    available: available?.toFixed() ?? null,
    current: current?.toFixed() ?? null,
    limit: limit?.toFixed() ?? null,
    balanceDate,
  };
}
