import type { Tenant } from '../../../domain/api/environment.js';
import { permitsLink } from '../../../domain/api/restriction.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { requestPermissionEnd } from '../../sources/permissions/end-permission.repository.js';
import { lockLink, transitionLink } from './link-transition.js';
import { listLinks, type LinkPage } from './link-list.js';
import type { LinkFilter, LinkPageRequest } from './link-filter.js';
import { findLinkRow } from './find-link-view.js';
import { isPurged, linkViewOf, type LinkView } from './link-view.js';
import { permittedLinks } from '../../tenants/applications/permitted-rows.js';
import { clockOf } from '../../worlds/world-clock.js';

/**
 * Links from the view of their app. Every look-up except `linkOwnership` is scoped by the tenant.
 */
export class LinkRepository {
  constructor(private readonly ctx: Context) {}

  /** Whether an id is a link of this tenant or of another, as are those that a restricted caller may not reach. It returns no data and serves only steps 7 and 8 of native-api 1.3. */
  async linkOwnership(tenant: Tenant, linkId: string): Promise<'own' | 'foreign' | 'unknown'> {
    const row = await this.ctx.database.prisma.link.findUnique({
      where: { linkId },
      select: {
        appId: true,
        environment: true,
        worldId: true,
        deletedAt: true,
        customerUser: { select: { userId: true } },
      },
    });
    if (
      row === null ||
      (row.deletedAt !== null &&
        isPurged(row.deletedAt, await clockOf(this.ctx, this.ctx.database.prisma, row)))
    )
      return 'unknown';
    const isOwn =
      row.appId === tenant.appId &&
      row.environment === tenant.environment &&
      permitsLink(tenant, { linkId, customerUserId: row.customerUser.userId });
    return isOwn ? 'own' : 'foreign';
  }

  /** The link with its granted products, or null when this caller has no such link. */
  async get(tenant: Tenant, linkId: string): Promise<LinkView | null> {
    const row = await findLinkRow(this.ctx, tenant, linkId);
    const link = row === undefined ? null : linkViewOf(row, this.ctx.clock());
    return link !== null && permitsLink(tenant, link) ? link : null;
  }

  /** One page of the links that match. Source: native-api 3.4. */
  list(tenant: Tenant, filter: LinkFilter, request: LinkPageRequest): Promise<LinkPage> {
    return listLinks(this.ctx, tenant, filter, request);
  }

  /**
   * Changes address and tags; undefined keeps them. Setting the address, even to the same value,
   * enables it again after its receiver returned 410. False when the link is deleted or belongs to
   * another tenant. Source: native-api 3.4.
   */
  async update(
    tenant: Tenant,
    linkId: string,
    {
      webhook,
      tags,
    }: { webhook?: string | null | undefined; tags?: readonly string[] | undefined },
  ): Promise<boolean> {
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
   * Forces the account owner to log in again, as if the permission had ended; data stays. The bank
   * is notified later. Throws `TransitionRefused` according to the state table. Source:
   * link-lifecycle 10.
   */
  async reset(tenant: Tenant, linkId: string): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const pk = await pkOf(tx, tenant, linkId);
      if (pk === null) return;
      await transitionLink(
        this.ctx,
        tx,
        pk,
        { type: 'reset' },
        { errorMessage: 'The link was reset.', errorCause: 'reset' },
      );
      await requestPermissionEnd(this.ctx, tx, pk);
    });
  }

  /**
   * Disconnects a link of this tenant: records exactly one event, erases its data and ends its sessions.
   * Throws `TransitionRefused` when it is already deleted. Source: link-lifecycle 9.
   */
  async delete(tenant: Tenant, linkId: string): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const pk = await pkOf(tx, tenant, linkId);
      if (pk !== null) await transitionLink(this.ctx, tx, pk, { type: 'delete' });
    });
  }
}

async function pkOf(tx: Tx, tenant: Tenant, linkId: string): Promise<bigint | null> {
  const row = await tx.link.findFirst({
    where: { AND: [{ linkId }, permittedLinks(tenant)] },
    select: { pk: true },
  });
  return row?.pk ?? null;
}
