import type { Product } from '../../domain/link/products.js';
import type { Context } from '../context.js';
import { openCredential } from '../permissions/provider-credential.js';
import { worldTimeOf } from '../worlds/world-clock.js';
import { fetchKeyOf } from './start-products.js';
import { hasNewSource } from './store-product.js';

/** What is needed to fetch one product from its provider. */
export interface FetchAccess {
  credential: Uint8Array;
  /** The provider's own id of the permission. */
  reference: string;
  remoteId: string;
  provider: string;
  /** The products the user granted. */
  products: Product[];
  /** The same for every attempt of one fetch. */
  fetchKey: string;
  /** The current time in the world of the link, as providers receive it. */
  worldTime: Date | null;
  /**
   * Ids of transactions may differ from the stored ones: call `matchTransactions` before storing.
   */
  matchRows: boolean;
}

/**
 * The opened credential, where to use it, and the fetch key, which stays the same from the first
 * attempt on, across attempts and runs. Null = the product is not being fetched, or the link no
 * longer has a credential.
 */
export async function fetchAccess(
  ctx: Context,
  linkId: string,
  product: Product,
): Promise<FetchAccess | null> {
  const { prisma } = ctx.database;
  const link = await prisma.link.findUnique({
    where: { linkId },
    include: { products: { where: { granted: true }, orderBy: { position: 'asc' } } },
  });
  const startedAt =
    link?.products.find((row) => row.product === product && row.state === 'in_progress')
      ?.stateChangedAt ?? null;
  if (link === null || link.state === 'deleted' || startedAt === null) return null;
  const { institutionId, provider } = link;
  const route = await prisma.institutionRoute.findUnique({
    where: { institutionId_provider: { institutionId, provider } },
  });
  if (route === null) return null;
  const held = await openCredential(ctx, prisma, link);
  if (held === null) return null;
  return {
    credential: held.credential,
    reference: held.reference,
    remoteId: route.remoteId,
    provider,
    products: link.products.map((row) => row.product as Product),
    fetchKey: fetchKeyOf(linkId, product, startedAt),
    worldTime: await worldTimeOf(ctx, link),
    matchRows: hasNewSource(link),
  };
}
