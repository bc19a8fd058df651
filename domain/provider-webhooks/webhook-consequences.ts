import { FAILURE_MEANINGS } from '../errors/failure-mapping.js';
import type { ProviderCause } from '../errors/provider-failure.js';
import { PRODUCTS, type Product } from '../link/products.js';
import type { WebhookEffect, WebhookMeaning } from './webhook-meaning.js';

/** What follows for the permission with this reference. */
export interface PermissionConsequence {
  /** It was lost; the link needs its owner. */
  lost: ProviderCause | null;
  /** When the source will end it; undefined = not said. */
  endsAt: Date | undefined;
  /** Fetched because of the webhook. */
  products: readonly Product[];
}

export interface WebhookConsequences {
  /** By reference. */
  permissions: ReadonlyMap<string, PermissionConsequence>;
  /** By remote id of the institution. */
  health: ReadonlyMap<string, 'operational' | 'degraded' | 'down'>;
}

/** A fetch of accounts learns whether the permission works, and when it ends. */
const LEARN: readonly Product[] = ['accounts'];

/**
 * What follows from a webhook: one consequence for each permission it names, however many effects
 * name it. Only a verified one changes states; any other only makes us ask. A refused one has none.
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
      // A cause that passes by itself is for a fetch to meet, which counts how often it does.
      return isVerified && FAILURE_MEANINGS[effect.cause].endsPermission
        ? { ...NOTHING, lost: effect.cause }
        : { ...NOTHING, products: LEARN };
    case 'ends':
      return isVerified ? { ...NOTHING, endsAt: effect.at } : { ...NOTHING, products: LEARN };
  }
}
