import type { Database } from '../../base/database/database.js';

/** The work that a link is waiting for now. */
export interface LinkPresent {
  nextDueAt: Date | null;
  products: {
    product: string;
    refreshedAt: Date | null;
    errorCode: string | null;
    errorCause: string | null;
  }[];
  /** Refreshes that were requested and have not ended, oldest first. */
  refreshRequests: { product: string; cause: string; createdAt: Date }[];
  /** Data events that wait for the exchange of the link's token; `100+` for more. */
  heldEvents: string;
  /** Permissions that must end at their source; `100+` for more. */
  permissionsToEnd: string;
}

const MAX_REQUESTS = 50;
const COUNTED = 100;

/** Not scoped by a tenant, so it must never serve an API call. */
export async function readPresent(
  { prisma }: Pick<Database, 'prisma'>,
  linkPk: bigint,
): Promise<LinkPresent> {
  const of = { linkPk };
  const counted = { where: of, select: { linkPk: true }, take: COUNTED + 1 };
  const [link, products, refreshRequests, held, revocations] = await Promise.all([
    prisma.link.findUnique({ where: { pk: linkPk }, select: { nextDueAt: true } }),
    prisma.linkProduct.findMany({
      where: { ...of, granted: true },
      select: { product: true, refreshedAt: true, errorCode: true, errorCause: true },
      orderBy: { position: 'asc' },
    }),
    prisma.refreshRequest.findMany({
      where: of,
      select: { product: true, cause: true, createdAt: true },
      take: MAX_REQUESTS,
    }),
    prisma.heldEvent.findMany(counted),
    prisma.permissionRevocation.findMany(counted),
  ]);
  return {
    nextDueAt: link?.nextDueAt ?? null,
    products,
    refreshRequests: refreshRequests.sort(
      (one, other) => one.createdAt.getTime() - other.createdAt.getTime(),
    ),
    heldEvents: shownCount(held.length),
    permissionsToEnd: shownCount(revocations.length),
  };
}

const shownCount = (count: number): string => (count > COUNTED ? `${COUNTED}+` : String(count));
