import type { Context } from '../../base/context.js';
import { routeOf } from '../institutions/institution-route.js';
import { openCredential, type CredentialEdition } from './provider-credential.js';

/** The credentials that give access to linked accounts at their banks. */
export class CredentialRepository {
  constructor(private readonly ctx: Context) {}

  /** The opened credential of a link. Null if it no longer has one. */
  async credential(linkId: string): Promise<{
    credential: Buffer;
    edition: CredentialEdition;
    reference: string;
    provider: string;
    remoteId: string;
  } | null> {
    const { prisma } = this.ctx.database;
    const link = await prisma.link.findUnique({ where: { linkId } });
    const held = link === null ? null : await openCredential(this.ctx, prisma, link);
    if (link === null || held === null) return null;
    const route = await routeOf(prisma, link.institutionId, link.provider);
    return route === null
      ? null
      : {
          credential: Buffer.from(held.credential),
          edition: held.edition,
          reference: held.reference,
          provider: link.provider,
          remoteId: route.remoteId,
        };
  }
}
