import type { Environment } from '../../../domain/api/environment.js';
import type { Context } from '../../base/context.js';

/** The environment of a link, for work that has only its id; undefined = there is no such link. */
export async function environmentOfLink(
  { database: { prisma } }: Pick<Context, 'database'>,
  linkId: string,
): Promise<Environment | undefined> {
  const link = await prisma.link.findUnique({ where: { linkId }, select: { environment: true } });
  return link?.environment as Environment | undefined;
}
