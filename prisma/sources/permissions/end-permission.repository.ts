import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { routeOf } from '../institutions/institution-route.js';
import { enqueueCommand } from '../../base/outbox/outbox.js';
import { openCredential } from './provider-credential.js';

/**
 * A permission to end. `dueAt`, the time of the request, is stored with the permission and
 * identifies it.
 */
export interface PermissionToEnd {
  linkId: string;
  provider: string;
  /** ISO 8601. */
  dueAt: string;
}

/**
 * Requests that the bank end the permission of a locked link. A repeated request has no further
 * effect, and a link without a permission needs none. Source: link-lifecycle 10.
 */
export async function requestPermissionEnd(ctx: Context, tx: Tx, linkPk: bigint): Promise<void> {
  const dueAt = ctx.clock();
  const marked = await tx.providerCredential.updateMany({
    where: { linkPk, endDueAt: null },
    data: { endDueAt: dueAt },
  });
  if (marked.count === 0) return;
  const { provider, link } = await tx.providerCredential.findUniqueOrThrow({
    where: { linkPk },
    select: { provider: true, link: { select: { linkId: true } } },
  });
  await enqueueCommand(tx, {
    kind: 'endPermission',
    linkId: link.linkId,
    provider,
    dueAt: dueAt.toISOString(),
  });
}

/**
 * Permissions that are to end at their banks. A relink replaces the permission together with its
 * request to end.
 */
export class EndPermissionRepository {
  constructor(private readonly ctx: Context) {}

  /** The opened credential and the institution where it is used; null = nothing to end. */
  async access({ linkId, dueAt }: PermissionToEnd): Promise<{
    credential: Uint8Array;
    reference: string;
    remoteId: string;
  } | null> {
    const { prisma } = this.ctx.database;
    const link = await prisma.link.findUnique({ where: { linkId }, include: { credential: true } });
    if (
      link === null ||
      link.credential === null ||
      link.credential.endDueAt?.toISOString() !== dueAt
    )
      return null;
    const route = await routeOf(prisma, link.institutionId, link.credential.provider);
    if (route === null) return null;
    const held = await openCredential(this.ctx, prisma, link);
    if (held === null) return null;
    const { credential, reference } = held;
    return { credential, reference, remoteId: route.remoteId };
  }

  /** Records that the bank has ended the permission, or never will. */
  async settle({ linkId, dueAt }: PermissionToEnd): Promise<void> {
    await this.ctx.database.prisma.providerCredential.updateMany({
      where: { link: { linkId }, endDueAt: new Date(dueAt) },
      data: { endDueAt: null },
    });
  }

  /** Re-enqueues requests that have been pending since before `before`. Returns their number. */
  async requeueOverdue(before: Date, limit: number): Promise<number> {
    return this.ctx.database.transaction(async (tx) => {
      const overdue = await tx.$queryRaw<{ link_id: string; provider: string; end_due_at: Date }[]>`
        SELECT l.link_id, c.provider, c.end_due_at FROM provider_credentials c JOIN links l ON l.pk = c.link_pk
         WHERE c.end_due_at < ${before}
           AND NOT EXISTS (SELECT 1 FROM outbox_commands command WHERE command.kind = 'endPermission' AND command.payload->>'linkId' = l.link_id)
         ORDER BY c.end_due_at LIMIT ${limit} FOR UPDATE OF c SKIP LOCKED`;
      for (const { link_id: linkId, provider, end_due_at: dueAt } of overdue)
        await enqueueCommand(tx, {
          kind: 'endPermission',
          linkId,
          provider,
          dueAt: dueAt.toISOString(),
          overdue: true,
        });
      return overdue.length;
    });
  }
}
