import { FAILURE_MEANINGS } from '../../../domain/errors/failure-mapping.js';
import type { Product } from '../../../domain/link/products.js';
import { judgeTransition } from '../../../domain/link/link-transitions.js';
import type {
  PermissionConsequence,
  WebhookConsequences,
} from '../../../domain/provider-webhooks/webhook-consequences.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { lockLink, standingOf, transitionLink } from '../../links/link/link-transition.js';
import { storePermissionEnd } from '../../links/link/store-permission-end.js';
import type { RefreshRequestRepository } from '../refresh/refresh-request.repository.js';
import { isFetchable } from '../refresh/take-refresh-requests.js';

export type RequestFetch = Pick<RefreshRequestRepository, 'requestProviderRefresh'>;

/** The consequences of a source's webhook. */
export interface AnnouncedConsequences {
  provider: string;
  /** A permission that is newer than this is not the one that the webhook refers to. */
  receivedAt: Date;
  consequences: WebhookConsequences;
}

/**
 * Applies the consequences to the links whose permission a webhook names, and to the routes of
 * institutions.
 */
export async function applyConsequences(
  ctx: Context,
  tx: Tx,
  fetches: RequestFetch,
  { provider, receivedAt, consequences: { permissions, health } }: AnnouncedConsequences,
): Promise<void> {
  const named = await tx.providerCredential.findMany({
    where: { provider, reference: { in: [...permissions.keys()] } },
    select: { linkPk: true },
    // Two webhooks lock their shared links in the same order.
    orderBy: { linkPk: 'asc' },
  });
  for (const { linkPk } of named) {
    const link = await lockLink(tx, linkPk);
    const held = await tx.providerCredential.findUnique({ where: { linkPk } });
    const consequence = held?.provider === provider ? permissions.get(held.reference) : undefined;
    if (held === null || consequence === undefined) continue;
    const { lost, endsAt, products } = ofPermission(consequence, held.createdAt > receivedAt);
    if (lost !== null) await losePermission(ctx, tx, link, lost);
    else if (endsAt !== undefined && isFetchable(link))
      await storePermissionEnd(ctx, tx, link, endsAt);
    if (products.length > 0) await fetches.requestProviderRefresh(tx, linkPk, products);
  }
  for (const [remoteId, state] of health)
    await tx.institutionRoute.updateMany({
      where: { provider, remoteId },
      data: { health: state },
    });
}

/**
 * Reports about a permission that a relink has since renewed are not trusted; a fetch checks it.
 */
function ofPermission(consequence: PermissionConsequence, isNewer: boolean): PermissionConsequence {
  const { lost, endsAt, products } = consequence;
  if (!isNewer || (lost === null && endsAt === undefined)) return consequence;
  const asked = new Set<Product>([...products, 'accounts']);
  return { lost: null, endsAt: undefined, products: [...asked] };
}

/** Does the same as a fetch that fails with this cause. */
async function losePermission(
  ctx: Context,
  tx: Tx,
  link: Parameters<typeof standingOf>[0],
  cause: NonNullable<PermissionConsequence['lost']>,
): Promise<void> {
  if (judgeTransition(standingOf(link), { type: 'auth_lost' }).kind !== 'change') return;
  const errorMessage = FAILURE_MEANINGS[cause].text;
  const detail = { errorMessage, errorCause: cause };
  await transitionLink(ctx, tx, link.pk, { type: 'auth_lost' }, detail);
}
