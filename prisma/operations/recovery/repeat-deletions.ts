import type { Context } from '../../base/context.js';
import { transitionLink } from '../../links/link/link-transition.js';

export interface RepeatedDeletions {
  deleted: number;
  /** They were deleted before the backup. */
  alreadyDeleted: number;
  /** Links that the backup does not contain: they were created and deleted after it. */
  unknown: readonly string[];
}

/**
 * Deletes links in the same way as their apps do: data is erased, permissions end at the bank, and
 * a webhook announces it.
 */
export async function repeatDeletions(
  ctx: Context,
  linkIds: readonly string[],
): Promise<RepeatedDeletions> {
  let [deleted, alreadyDeleted] = [0, 0];
  const unknown: string[] = [];
  for (const linkId of linkIds) {
    const outcome = await ctx.database.transaction(async (tx) => {
      const link = await tx.link.findUnique({
        where: { linkId },
        select: { pk: true, state: true },
      });
      if (link === null || link.state === 'deleted') return link;
      await transitionLink(ctx, tx, link.pk, { type: 'delete' });
      return 'deleted';
    });
    if (outcome === 'deleted') deleted += 1;
    else if (outcome === null) unknown.push(linkId);
    else alreadyDeleted += 1;
  }
  return { deleted, alreadyDeleted, unknown };
}
