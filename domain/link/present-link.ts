import type { PresentedIncomplete } from './incomplete-account.js';
import type { LinkError, LinkState } from './link-state.js';
import { FIRST_PRODUCTS, type Product, type ProductSettings } from './products.js';
import type { ProductError } from './product-state.js';
import { freshnessOf, type Freshness } from './product-freshness.js';
import { shownProvider, type ProviderNames } from './provider-name.js';
import { apiTimestamp, apiTimestampOrNull } from '../api/timestamps.js';

/** The facts of one granted product of a link, for its wire form. */
export interface ProductFacts {
  product: Product;
  settings: ProductSettings;
  refreshedAt: Date | null;
  lastAttemptedAt: Date | null;
  errorCode: ProductError | null;
  errorMessage: string | null;
  unavailable: string | null;
  hasHistory: boolean;
  /** Accounts whose data was incomplete in the last successful refresh. */
  incomplete: PresentedIncomplete[];
}

/** The facts of a link, for its wire form. */
export interface LinkFacts {
  linkId: string;
  /** The app's own id of its user. */
  customerUserId: string;
  createdAt: Date;
  /** The last change of the link itself; refreshes of its data do not count. */
  updatedAt: Date;
  /** The time in the world of the link. */
  now: Date;
  nextDueAt: Date | null;
  slowDueAt: Date | null;
  /** Milliseconds between two refreshes; null = the general interval. */
  plannedIntervals: { fast: number | null; slow: number | null };
  institutionId: string;
  institutionName: string;
  provider: string;
  state: LinkState;
  errorCode: LinkError | null;
  errorMessage: string | null;
  lastSyncedAt: Date | null;
  tags: string[];
  webhook: string | null;
  webhookDisabledAt: Date | null;
  permissionEndsAt: Date | null;
  /** Granted products, in the order of their presentation. */
  products: ProductFacts[];
  /** The products that the institution supports through the link's provider. */
  supportedProducts: Product[];
}

export interface LinkPresentation extends ProviderNames {
  /** Without trailing slash. */
  baseUrl: string;
  /** The general intervals between two refreshes, in milliseconds. */
  refreshInterval: number;
  refreshIntervalSlow: number;
}

/** The wire form of a Link. Source: native-api 4.1. */
export function presentLink(link: LinkFacts, settings: LinkPresentation) {
  const granted = new Set(link.products.map(({ product }) => product));
  return {
    link_id: link.linkId,
    customer_user_id: link.customerUserId,
    created_at: apiTimestamp(link.createdAt),
    updated_at: apiTimestamp(link.updatedAt),
    institution_id: link.institutionId,
    institution_name: link.institutionName,
    provider: shownProvider(link.provider, settings),
    state: link.state,
    last_synced_at: apiTimestampOrNull(link.lastSyncedAt),
    tags: link.tags,
    link_tags: link.tags,
    products: Object.fromEntries(
      link.products.map((product) => [product.product, presentProduct(product, link, settings)]),
    ),
    error_code: link.errorCode,
    error_message: link.errorMessage,
    webhook: link.webhook,
    webhook_disabled_at: apiTimestampOrNull(link.webhookDisabledAt),
    permission_ends_at: apiTimestampOrNull(link.permissionEndsAt),
    institution_avatar: `${settings.baseUrl}/institutions/${encodeURIComponent(link.institutionId)}/avatar.svg`,
    available_products: FIRST_PRODUCTS.filter(
      (product) => link.supportedProducts.includes(product) && !granted.has(product),
    ),
  };
}

/** The wire form of a product status. Source: native-api 4.2. */
function presentProduct(facts: ProductFacts, link: LinkFacts, settings: LinkPresentation) {
  const { nextRefreshAt, isStale, problem } = freshnessOfProduct(facts, link, settings);
  const { required, prefetch, require_permission, reason, extend_history } = facts.settings;
  const transactions = facts.product === 'transactions';
  return {
    refreshed_at: apiTimestampOrNull(facts.refreshedAt),
    last_attempted_at: apiTimestampOrNull(facts.lastAttemptedAt),
    error_code: facts.errorCode,
    error_message: facts.errorMessage,
    unavailable: facts.unavailable,
    next_refresh_at: apiTimestampOrNull(nextRefreshAt),
    stale: isStale,
    problem,
    incomplete: facts.incomplete,
    ...(transactions ? { has_history: facts.hasHistory } : {}),
    ...(facts.product === 'accounts'
      ? {}
      : {
          settings: {
            required,
            prefetch,
            require_permission,
            reason,
            ...(transactions ? { extend_history } : {}),
          },
        }),
  };
}

/** How fresh the stored data of a granted product is now. */
export function freshnessOfProduct(
  facts: ProductFacts,
  link: Pick<LinkFacts, 'errorCode' | 'nextDueAt' | 'slowDueAt' | 'plannedIntervals' | 'now'>,
  {
    refreshInterval,
    refreshIntervalSlow,
  }: Pick<LinkPresentation, 'refreshInterval' | 'refreshIntervalSlow'>,
): Freshness {
  const { errorCode: linkError, nextDueAt, slowDueAt, plannedIntervals, now } = link;
  const intervals = {
    fast: plannedIntervals.fast ?? refreshInterval,
    slow: plannedIntervals.slow ?? refreshIntervalSlow,
  };
  return freshnessOf(facts, { linkError, nextDueAt, slowDueAt, intervals }, now);
}
