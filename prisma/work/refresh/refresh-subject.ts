import type { RefreshSubject } from '../../../domain/refresh/refresh-subject.js';
import type { Context } from '../../base/context.js';

/**
 * The facts of a refresh that are known before its run starts. Its products are those that the run
 * fetches if nothing else is requested until then; undefined = there is no such link.
 */
export async function refreshSubject(
  { database: { prisma } }: Pick<Context, 'database'>,
  linkId: string,
): Promise<RefreshSubject | undefined> {
  const [subject] = await prisma.$queryRaw<RefreshSubject[]>`
    SELECT link.app_id AS "appId", link.environment, link.institution_id AS "institutionId", link.provider,
           array(SELECT product FROM link_products
                  WHERE link_pk = link.pk AND granted AND state IN ('pending', 'in_progress')
                  ORDER BY position) AS products
      FROM links link
     WHERE link.link_id = ${linkId}`;
  return subject;
}
