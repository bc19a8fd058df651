import type { Product } from '../../../domain/link/products.js';
import type { EndUser } from '../../../domain/session/end-user.js';
import type { Context } from '../../base/context.js';
import type { Link, LinkProduct } from '../../generated/client.js';
import type { FactsByAccount } from '../../../domain/accounts/account-facts.js';
import { accountFactsOf } from '../../links/accounts/read-account-facts.js';
import { routeOf } from '../../sources/institutions/institution-route.js';
import {
  openCredential,
  type CredentialEdition,
} from '../../sources/permissions/provider-credential.js';
import { worldTimeOf } from '../../worlds/world-clock.js';
import { waitingUser } from './login-user.js';
import { SCHEDULED_CAUSES } from './request-refresh.js';
import { fetchKeyOf } from './start-products.js';
import { hasNewSource } from './store-product.js';

/** The facts needed to call the provider of a link. */
export interface PermissionAccess {
  linkId: string;
  credential: Uint8Array;
  /** The state of the credential, for its renewal. */
  edition: CredentialEdition;
  /** The provider's own id of the permission. */
  reference: string;
  remoteId: string;
  provider: string;
  /** The products that the user granted. */
  products: Product[];
  /** Provider ids of its accounts that are not closed. */
  knownAccounts: string[];
  /** See `ProviderAccess.accountFacts`. */
  accountFacts: FactsByAccount;
  /** The current time in the world of the link, as providers receive it. */
  worldTime: Date | null;
}

/** The facts needed to fetch one product from its provider. */
export interface FetchAccess extends PermissionAccess {
  /** The same for every attempt of one fetch. */
  fetchKey: string;
  /**
   * Ids of transactions may differ from the stored ones, or have been shared: call
   * `matchTransactions` before storing.
   */
  matchRows: boolean;
  /** No app requested the fetch, so its calls leave the reserve of each quota untouched. */
  isScheduled: boolean;
  /** The user who waits for it; null = no one. */
  endUser: EndUser | null;
}

export interface LinkWithProducts extends Link {
  /** The granted ones, in order. */
  products: LinkProduct[];
}

/**
 * The opened credential, the institution where it is used, and the fetch key, which stays the same
 * from the first attempt on, across attempts and runs. Null = the product is not being fetched, or
 * the link no longer has a credential.
 */
export async function fetchAccess(
  ctx: Context,
  linkId: string,
  product: Product,
): Promise<FetchAccess | null> {
  const link = await linkWithProducts(ctx, linkId);
  const startedAt =
    link?.products.find((row) => row.product === product && row.state === 'in_progress')
      ?.stateChangedAt ?? null;
  if (link === null || link.state === 'deleted' || startedAt === null) return null;
  const access = await permissionAccess(ctx, link);
  if (access === null) return null;
  const causes = await causesOf(ctx, link, [product]);
  return {
    ...access,
    fetchKey: fetchKeyOf(linkId, product, startedAt),
    matchRows: hasNewSource(link) || link.sharesIds,
    isScheduled: isScheduled(causes),
    endUser: await waitingUser(ctx, link, causes),
  };
}

export async function linkWithProducts(
  { database: { prisma } }: Context,
  linkId: string,
): Promise<LinkWithProducts | null> {
  return prisma.link.findUnique({
    where: { linkId },
    include: { products: { where: { granted: true }, orderBy: { position: 'asc' } } },
  });
}

/** Null = the link has no credential, or its institution no route through its provider. */
export async function permissionAccess(
  ctx: Context,
  link: LinkWithProducts,
): Promise<PermissionAccess | null> {
  const { prisma } = ctx.database;
  const { linkId, institutionId, provider } = link;
  const route = await routeOf(prisma, institutionId, provider);
  if (route === null) return null;
  const held = await openCredential(ctx, prisma, link);
  if (held === null) return null;
  const { open, facts } = await accountFactsOf(ctx, link);
  return {
    linkId,
    credential: held.credential,
    edition: held.edition,
    reference: held.reference,
    remoteId: route.remoteId,
    provider,
    products: link.products.map((row) => row.product as Product),
    knownAccounts: open,
    accountFacts: facts,
    worldTime: await worldTimeOf(ctx, link),
  };
}

/** The causes of the products' fetches: the requests that the fetches fulfill. */
export async function causesOf(
  { database: { prisma } }: Context,
  { pk: linkPk }: Pick<Link, 'pk'>,
  products: readonly Product[],
): Promise<string[]> {
  const requests = await prisma.refreshRequest.findMany({
    where: { linkPk, product: { in: [...products] } },
    select: { cause: true },
    distinct: ['cause'],
  });
  return requests.map(({ cause }) => cause);
}

export function isScheduled(causes: readonly string[]): boolean {
  return causes.length > 0 && causes.every((cause) => SCHEDULED_CAUSES.includes(cause));
}
