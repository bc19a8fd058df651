import type { Environment } from '../../../domain/api/environment.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { routeOf } from '../institutions/institution-route.js';
import { enqueueCommand } from '../../base/outbox/outbox.js';
import type { HeldPermission } from './provider-credential.js';
import { renewForRevocation } from './renewed-revocation.js';
import {
  ifReadable,
  releasePermission,
  revocationKey,
  revocationPlace,
} from './release-permission.js';
import {
  recordUnrevoked,
  type NotRevokedReason,
  type UnrevokedFacts,
} from './unrevoked-permission.js';

/** The remaining work after a link, or an attempt to link, has ended. */
export interface DeletionPlan {
  deleted: boolean;
  appId: string;
  environment: Environment;
  institutionId: string;
  revocations: { revocationId: string; provider: string; giveUpInMs: number }[];
}

export interface RevocableAccess {
  provider: string;
  /** Null when the institution is no longer reachable through that provider. */
  remoteId: string | null;
  reference: string;
  credential: Uint8Array;
}

/** Permissions to end at their banks. A missing row means done. */
export class RevocationRepository {
  constructor(private readonly ctx: Context) {}

  /**
   * Releases a permission that arrived too late for its link or could not be kept. False = the link
   * no longer exists.
   */
  async release(linkId: string, permission: HeldPermission): Promise<boolean> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const link = await tx.link.findUnique({
        where: { linkId },
        select: { pk: true, linkId: true },
      });
      if (link !== null) await releasePermission(ctx, tx, link, permission);
      return link !== null;
    });
  }

  /** Null = the link no longer exists. */
  async plan(linkId: string): Promise<DeletionPlan | null> {
    const link = await this.ctx.database.prisma.link.findUnique({
      where: { linkId },
      include: { revocations: { orderBy: { createdAt: 'asc' } } },
    });
    if (link === null) return null;
    const now = this.ctx.clock().getTime();
    return {
      deleted: link.state === 'deleted',
      appId: link.appId,
      environment: link.environment as Environment,
      institutionId: link.institutionId,
      revocations: link.revocations.map(({ revocationId, provider, giveUpAt }) => ({
        revocationId,
        provider,
        giveUpInMs: Math.max(0, giveUpAt.getTime() - now),
      })),
    };
  }

  /**
   * Starts an attempt. Null = nothing to revoke: it is done, its retry period has expired, the
   * sealed credential cannot be opened, or the bank has since granted the same permission to the
   * link again.
   */
  async beginAttempt(revocationId: string): Promise<RevocableAccess | null> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const row = await tx.permissionRevocation.findUnique({
        where: { revocationId },
        include: { link: { include: { credential: true } } },
      });
      if (row === null) return null;
      const { link } = row;
      const isInUse =
        link.state !== 'deleted' &&
        link.credential?.provider === row.provider &&
        link.credential.reference === row.reference;
      if (isInUse) {
        await this.erase(tx, revocationId);
        return null;
      }
      if (row.giveUpAt <= ctx.clock()) return this.abandon(tx, row, 'time_over');
      const credential = await ifReadable(
        ctx.sealer.openUnder(
          tx,
          revocationKey(revocationId),
          revocationPlace(revocationId),
          row.sealed,
        ),
      );
      if (credential === null) return this.abandon(tx, row, 'unreadable');
      await tx.permissionRevocation.update({
        where: { revocationId },
        data: { attempts: { increment: 1 }, lastAttemptAt: ctx.clock() },
      });
      const route = await routeOf(tx, link.institutionId, row.provider);
      const { provider, reference } = row;
      return { provider, reference, remoteId: route?.remoteId ?? null, credential };
    });
  }

  /** Replaces the stored credential with the one that the bank issued. */
  async keepRenewed(revocationId: string, credential: Uint8Array): Promise<void> {
    await this.ctx.database.transaction((tx) =>
      renewForRevocation(this.ctx, tx, { revocationId }, credential),
    );
  }

  /**
   * Records that the permission ended at the bank, or needs no end there: erases the credential
   * with its key. Idempotent.
   */
  async settle(revocationId: string): Promise<void> {
    await this.ctx.database.transaction((tx) => this.erase(tx, revocationId));
  }

  /**
   * The bank did not end the permission in time, or does not support it: erases the credential
   * anyway and records the permission as not revoked. Idempotent.
   */
  async giveUp(
    revocationId: string,
    reason: Extract<NotRevokedReason, 'time_over' | 'not_offered'> = 'time_over',
  ): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const row = await tx.permissionRevocation.findUnique({ where: { revocationId } });
      if (row !== null) await this.abandon(tx, row, reason);
    });
  }

  /**
   * For the sweeper: erases credentials whose 24 hours ended before `now - olderThanMs`, and
   * restarts those idle for `idleMs`, as after the loss of a workflow. Returns the number of rows
   * handled.
   */
  async sweep(
    now: Date,
    { olderThanMs, idleMs, limit }: { olderThanMs: number; idleMs: number; limit: number },
  ): Promise<number> {
    return this.ctx.database.transaction(async (tx) => {
      const rows = await tx.$queryRaw<
        {
          revocation_id: string;
          link_pk: bigint;
          provider: string;
          reference: string;
          link_id: string;
          over: boolean;
        }[]
      >`
        SELECT r.revocation_id, r.link_pk, r.provider, r.reference, l.link_id, r.give_up_at < ${new Date(now.getTime() - olderThanMs)} AS over
          FROM permission_revocations r JOIN links l ON l.pk = r.link_pk
         WHERE r.give_up_at < ${new Date(now.getTime() - olderThanMs)}
            OR coalesce(r.last_attempt_at, r.created_at) < ${new Date(now.getTime() - idleMs)}
         ORDER BY r.give_up_at LIMIT ${limit}
           FOR UPDATE OF r SKIP LOCKED`;
      for (const {
        revocation_id: revocationId,
        link_pk: linkPk,
        provider,
        reference,
        over,
      } of rows) {
        if (over)
          await this.abandon(tx, { revocationId, linkPk, provider, reference }, 'time_over');
        else
          await tx.permissionRevocation.update({
            where: { revocationId },
            data: { lastAttemptAt: now },
          });
      }
      for (const linkId of new Set(rows.filter(({ over }) => !over).map((row) => row.link_id)))
        await enqueueCommand(tx, { kind: 'startLinkDeletion', linkId, overdue: true });
      return rows.length;
    });
  }

  private async abandon(
    tx: Tx,
    {
      revocationId,
      linkPk,
      provider,
      reference,
    }: Omit<UnrevokedFacts, 'reason'> & { revocationId: string },
    reason: NotRevokedReason,
  ): Promise<null> {
    await recordUnrevoked(this.ctx, tx, { linkPk, provider, reference, reason });
    await this.erase(tx, revocationId);
    return null;
  }

  private async erase(tx: Tx, revocationId: string): Promise<void> {
    await tx.permissionRevocation.deleteMany({ where: { revocationId } });
    await this.ctx.sealer.eraseKey(tx, revocationKey(revocationId));
  }
}
