import type { Context } from '../context.js';
import { routeOf } from '../institutions/institution-route.js';
import { openCredential } from './provider-credential.js';

/** What opens the permission of a link at its bank. */
export class CredentialRepository {
  constructor(private readonly ctx: Context) {}

  /** The credential of a link, opened. Null when it has none any more. */
  async credential(
    linkId: string,
  ): Promise<{ credential: Buffer; provider: string; remoteId: string } | null> {
    const { prisma } = this.ctx.database;
    const link = await prisma.link.findUnique({ where: { linkId } });
    const held = link === null ? null : await openCredential(this.ctx, prisma, link);
    if (link === null || held === null) return null;
    const route = await routeOf(prisma, link.institutionId, link.provider);
    return route === null
      ? null
      : {
          credential: Buffer.from(held.credential),
          provider: link.provider,
          remoteId: route.remoteId,
        };
  }
}
