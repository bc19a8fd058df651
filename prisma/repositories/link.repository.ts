import type { Tenant } from '../../domain/environment.js';
import type { LinkFacts } from '../../domain/present-link.js';
import type { LinkError, LinkState } from '../../domain/link-state.js';
import type { Product } from '../../domain/products.js';
import type { ProductError } from '../../domain/product-state.js';
import type { Context } from '../context.js';
import type { Tx } from '../database.js';
import { Prisma } from '../generated/client.js';
import { lockLink, transitionLink } from './link-transition.js';
import { clockOf, type InWorld } from './world-clock.js';

/** A link as the calls of the API need it: what is shown, and where its rows are. */
export interface LinkView extends LinkFacts {
  pk: bigint;
  headSeq: bigint;
  revision: bigint;
  everConnected: boolean;
  /** What time it is in the world of the link. */
  now: Date;
}

const SHOWN = { products: { where: { granted: true }, orderBy: { position: 'asc' } } } satisfies Prisma.LinkInclude;
type FoundLink = Prisma.LinkGetPayload<{ include: typeof SHOWN }>;

/** How long the bare record of a deleted link can be read. Source: link-lifecycle 9. */
const DELETED_READABLE_MS = 90 * 24 * 3600 * 1000;

/** Links as their app sees them. Every look-up but `linkOwnership` is scoped by the tenant. */
export class LinkRepository {
  constructor(private readonly ctx: Context) {}

  /** Whose link an id is; returns no data and serves only steps 7 and 8 of native-api 1.3. */
  async linkOwnership(tenant: Tenant, linkId: string): Promise<'own' | 'foreign' | 'unknown'> {
    const row = await this.ctx.database.prisma.link.findUnique({ where: { linkId }, select: { appId: true, environment: true, worldId: true, deletedAt: true } });
    if (row === null || (await this.isPurged(row))) return 'unknown';
    return row.appId === tenant.appId && row.environment === tenant.environment ? 'own' : 'foreign';
  }

  /** The link with its granted products, or null when this tenant has no such link. */
  async get(tenant: Tenant, linkId: string): Promise<LinkView | null> {
    const row = await this.ctx.database.prisma.link.findFirst({ where: { linkId, appId: tenant.appId, environment: tenant.environment }, include: SHOWN });
    if (row === null || (await this.isPurged(row))) return null;
    const institution = await this.ctx.database.prisma.institution.findUnique({
      where: { institutionId: row.institutionId },
      include: { routes: { where: { provider: row.provider } } },
    });
    return {
      ...toFacts(row),
      now: await clockOf(this.ctx, this.ctx.database.prisma, row),
      institutionName: institution?.name ?? row.institutionId,
      institutionLogoUrl: institution?.logoUrl ?? null,
      supportedProducts: (institution?.routes[0]?.products ?? []) as Product[],
    };
  }

  /**
   * Links that were connected at least once or imported and are not deleted, oldest first. `after` is the key of the
   * last link of the page before. Source: native-api 3.4.
   */
  async list(tenant: Tenant, { after, limit }: { after: bigint | null; limit: number }): Promise<{ links: { linkId: string; createdAt: Date; pk: bigint }[]; hasMore: boolean }> {
    const rows = await this.ctx.database.prisma.link.findMany({
      where: { appId: tenant.appId, environment: tenant.environment, deletedAt: null, connectedAt: { not: null }, ...(after === null ? {} : { pk: { gt: after } }) },
      select: { linkId: true, createdAt: true, pk: true },
      orderBy: { pk: 'asc' },
      take: limit + 1,
    });
    return { links: rows.slice(0, limit), hasMore: rows.length > limit };
  }

  /**
   * Changes address and tags; what is undefined stays. An address that is set, even to what it was, is believed in
   * again after its receiver answered 410. False when the link is deleted, or none of this tenant. Source: native-api 3.4.
   */
  async update(tenant: Tenant, linkId: string, { webhook, tags }: { webhook?: string | null | undefined; tags?: readonly string[] | undefined }): Promise<boolean> {
    return this.ctx.database.transaction(async (tx) => {
      const pk = await pkOf(tx, tenant, linkId);
      if (pk === null || (await lockLink(tx, pk)).state === 'deleted') return false;
      await tx.link.update({
        where: { pk },
        data: {
          revision: { increment: 1 },
          ...(webhook === undefined ? {} : { webhook, webhookDisabledAt: null }),
          ...(tags === undefined ? {} : { tags: [...tags] }),
        },
      });
      return true;
    });
  }

  /**
   * Forces the need to re-authenticate, as if the permission were over; data stays. Throws `TransitionRefused` where
   * the state table does. Source: link-lifecycle 10.
   */
  async reset(tenant: Tenant, linkId: string): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const pk = await pkOf(tx, tenant, linkId);
      if (pk !== null) await transitionLink(this.ctx, tx, pk, { type: 'reset' }, { errorMessage: 'The link was reset.', errorCause: 'reset' });
    });
  }

  /**
   * Disconnects a link of this tenant: exactly one event, everything stored for it erased, its sessions ended.
   * Throws `TransitionRefused` when it is deleted already. Source: link-lifecycle 9.
   */
  async delete(tenant: Tenant, linkId: string): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const pk = await pkOf(tx, tenant, linkId);
      if (pk !== null) await transitionLink(this.ctx, tx, pk, { type: 'delete' });
    });
  }

  private async isPurged({ deletedAt, ...link }: InWorld & { deletedAt: Date | null }): Promise<boolean> {
    if (deletedAt === null) return false;
    return deletedAt.getTime() + DELETED_READABLE_MS <= (await clockOf(this.ctx, this.ctx.database.prisma, link)).getTime();
  }
}

async function pkOf(tx: Tx, { appId, environment }: Tenant, linkId: string): Promise<bigint | null> {
  const row = await tx.link.findFirst({ where: { linkId, appId, environment }, select: { pk: true } });
  return row?.pk ?? null;
}

function toFacts(row: FoundLink): Omit<LinkView, 'now' | 'institutionName' | 'institutionLogoUrl' | 'supportedProducts'> {
  return {
    pk: row.pk,
    headSeq: row.headSeq,
    revision: row.revision,
    everConnected: row.connectedAt !== null,
    linkId: row.linkId,
    institutionId: row.institutionId,
    provider: row.provider,
    state: row.state as LinkState,
    errorCode: row.errorCode as LinkError | null,
    errorMessage: row.errorMessage,
    lastSyncedAt: row.lastSyncedAt,
    tags: row.tags,
    webhook: row.webhook,
    webhookDisabledAt: row.webhookDisabledAt,
    products: row.products.map((product) => ({
      product: product.product as Product,
      settings: {
        required: product.required,
        prefetch: product.prefetch,
        require_permission: product.requirePermission,
        reason: product.reason,
        extend_history: product.extendHistory,
      },
      refreshedAt: product.refreshedAt,
      lastAttemptedAt: product.lastAttemptedAt,
      errorCode: product.errorCode as ProductError | null,
      errorMessage: product.errorMessage,
      unavailable: product.unavailable,
      hasHistory: product.hasHistory,
    })),
  };
}
