import { FAILURE_MEANINGS } from '../errors/failure-mapping.js';
import type { ProviderCause } from '../errors/provider-failure.js';
import { PRODUCTS, type Product } from '../link/products.js';
import type { WebhookEffect, WebhookMeaning } from './webhook-meaning.js';

/** The consequences for the permission with this reference. */
export interface PermissionConsequence {
  /** The cause of its loss, after which the link needs its owner; null = not lost. */
  lost: ProviderCause | null;
  /** The time at which the source will end it; undefined = not reported. */
  endsAt: Date | undefined;
  /** The products to fetch because of the webhook. */
  products: readonly Product[];
}

export interface WebhookConsequences {
  /** By reference. */
  permissions: ReadonlyMap<string, PermissionConsequence>;
  /** By remote id of the institution. */
  health: ReadonlyMap<string, 'operational' | 'degraded' | 'down'>;
}

/** A fetch of accounts shows whether the permission works, and when it ends. */
const LEARN: readonly Product[] = ['accounts'];

/**
 * The consequences of a webhook: one for each permission it names, regardless of how many effects
 * name it. Only a verified webhook changes states; any other only causes a refresh. A refused one
 * has no consequences.
 */
export function consequencesOf({
  isVerified,
  effects,
  refusal,
}: WebhookMeaning): WebhookConsequences {
  const permissions = new Map<string, PermissionConsequence>();
  const health = new Map<string, 'operational' | 'degraded' | 'down'>();
  for (const effect of refusal === null ? effects : []) {
    if (effect.kind === 'institution') {
      if (isVerified) health.set(effect.remoteId, effect.health);
      continue;
    }
    const { lost, endsAt, products } = permissions.get(effect.reference) ?? NOTHING;
    const next = ofEffect(effect, isVerified);
    permissions.set(effect.reference, {
      lost: next.lost ?? lost,
      endsAt: next.endsAt ?? endsAt,
      products: PRODUCTS.filter((each) => products.includes(each) || next.products.includes(each)),
    });
  }
  return { permissions, health };
}

const NOTHING: PermissionConsequence = { lost: null, endsAt: undefined, products: [] };

function ofEffect(
  effect: Exclude<WebhookEffect, { kind: 'institution' }>,
  isVerified: boolean,
): PermissionConsequence {
  switch (effect.kind) {
    case 'refresh':
      return { ...NOTHING, products: effect.products };
    case 'recovered':
      return { ...NOTHING, products: PRODUCTS };
    case 'lost':
      // A temporary cause is left to a fetch, which counts its occurrences.
      return isVerified && FAILURE_MEANINGS[effect.cause].endsPermission
        ? { ...NOTHING, lost: effect.cause }
        : { ...NOTHING, products: LEARN };
    case 'ends':
      return isVerified ? { ...NOTHING, endsAt: effect.at } : { ...NOTHING, products: LEARN };
  }
}
