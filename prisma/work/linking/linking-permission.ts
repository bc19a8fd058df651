import type { FetchedAccount } from '../../../domain/refresh/fetched-data.js';
import {
  accountLimitsOf,
  type Permission,
  type UnreadAccount,
} from '../../../domain/session/linking-questions.js';
import { isStorable } from '../../../domain/refresh/incomplete-product.js';
import type { Product, ProductSettings, RequestedProducts } from '../../../domain/link/products.js';
import type { SessionOptions } from '../../../domain/session/session-options.js';
import { recognizeAccounts } from '../../../domain/accounts/recognize-accounts.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { Account, LinkProduct, LinkSession } from '../../generated/client.js';
import type { AcceptedLogin } from '../../sources/permissions/accepted-login.js';
import { routeOf } from '../../sources/institutions/institution-route.js';
import {
  knownAccounts,
  listedAccount,
  reportedAccounts,
  type KnownAccount,
} from '../../links/accounts/known-accounts.js';

/** The permission of an accepted login, in relation to the link of its session. */
export interface LinkingPermission {
  permission: Permission;
  /** The listed accounts that the link already has. */
  recognized: ReadonlyMap<FetchedAccount, Account>;
  /** Provider ids of accounts that were shared earlier and could never be read until this login. */
  awaited: readonly string[];
}

/** Reads the facts for the questions to the user and for the end of linking. */
export async function readPermission(
  ctx: Context,
  db: Tx | Context['database']['prisma'],
  session: LinkSession & { linkPk: bigint },
  login: AcceptedLogin,
): Promise<LinkingPermission> {
  const link = await db.link.findUniqueOrThrow({
    where: { pk: session.linkPk },
    include: { products: true },
  });
  const provider = session.provider ?? link.provider;
  const route = await routeOf(db, link.institutionId, provider);
  const listed = login.accounts.map(listedAccount);
  // Another provider uses other ids.
  const awaited = provider === link.provider ? link.awaitedAccounts : [];
  const known = await knownAccounts(ctx, db, link);
  const recognized = new Map(
    [
      ...recognizeAccounts(reportedAccounts(known, listed, login.incomplete ?? []), listed, {
        otherProvider: provider !== link.provider,
      }),
    ].map(([{ account }, { row }]) => [account, row]),
  );
  const granted = link.products.filter((product) => product.granted);
  const wasConnected = link.connectedAt !== null;
  const options = session.options as SessionOptions | null;
  return {
    recognized,
    awaited,
    permission: {
      consent: login.consent,
      accounts: login.accounts.map((account) => ({
        account,
        isPermitted:
          recognized.get(account)?.permitted === true ||
          awaited.includes(account.providerAccountId),
      })),
      missing: unreadAccounts(login, known, awaited),
      limits: {
        ...accountLimitsOf(session.features as Record<string, boolean>),
        onlyTypes: options?.accountTypes ?? null,
      },
      requested: {
        ...(session.products as RequestedProducts),
        ...(wasConnected
          ? {}
          : Object.fromEntries(granted.map((row) => [row.product, settingsOf(row)]))),
      },
      supported: route?.products ?? [],
      askAll: session.resumedWithoutToken,
      asksForAccounts: wasConnected && options?.asksForAccounts === true,
      alreadyGranted: wasConnected ? granted.map(({ product }) => product as Product) : [],
    },
  };
}

/** More accounts are not worth reading. */
const MAX_MISSING = 20;

/** The accounts that the login could not list, with the bank's names or the stored ones. */
function unreadAccounts(
  { accounts, incomplete = [] }: AcceptedLogin,
  known: readonly KnownAccount[],
  awaited: readonly string[],
): UnreadAccount[] {
  return incomplete
    .filter(({ providerAccountId: id }) =>
      accounts.every((listed) => listed.providerAccountId !== id),
    )
    .slice(0, MAX_MISSING)
    .map(({ providerAccountId: id, name }) => {
      const stored = known.find((account) => account.providerAccountId === id);
      const isShared = stored?.row.permitted ?? (id !== null && awaited.includes(id));
      return {
        // An id that cannot be stored unchanged would never be found again.
        id: id !== null && isStorable(id) ? id : null,
        name: name ?? (isShared ? (stored?.name ?? null) : null),
        standing: isShared ? 'shared' : stored === undefined ? 'new' : 'declined',
      };
    });
}

function settingsOf(row: LinkProduct): ProductSettings {
  return {
    required: row.required,
    prefetch: row.prefetch,
    extend_history: row.extendHistory,
    require_permission: row.requirePermission,
    reason: row.reason,
  };
}
