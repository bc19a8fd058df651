import { PRODUCTS, type Product } from '../../../../../domain/link/products.js';
import type { InstitutionRecord } from '../../institutions/find-institutions.js';
import { plaidProducts } from '../shapes/product-names.js';

export interface ShownParts {
  include_optional_metadata: boolean;
  include_status: boolean;
  include_auth_metadata: boolean;
}

/** The status for the health of a route. The shares sum to 1. Source: plaid-compat 6.6. */
const STATUSES = {
  operational: {
    status: 'HEALTHY',
    breakdown: { success: 1, error_plaid: 0, error_institution: 0 },
  },
  degraded: {
    status: 'DEGRADED',
    breakdown: { success: 0.5, error_plaid: 0, error_institution: 0.5 },
  },
  down: { status: 'DOWN', breakdown: { success: 0, error_plaid: 0, error_institution: 1 } },
} as const;
type Health = keyof typeof STATUSES;
const FROM_BEST: readonly Health[] = ['operational', 'degraded', 'down'];

/** The names of the status of each product; logins require no product. */
const STATUS_NAMES: readonly { name: string; product: Product }[] = [
  { name: 'item_logins', product: 'accounts' },
  { name: 'transactions_updates', product: 'transactions' },
  { name: 'auth', product: 'account_numbers' },
  { name: 'identity', product: 'identity' },
  { name: 'investments_updates', product: 'investments' },
  { name: 'liabilities_updates', product: 'liabilities' },
];

/** `id`: from the request. Source: plaid-compat 6.6. */
export function presentInstitution(institution: InstitutionRecord, id: string, parts: ShownParts) {
  const { name, country, login, routes, domain, color } = institution;
  const products = PRODUCTS.filter((product) =>
    routes.some((route) => route.products.includes(product)),
  );
  return {
    institution_id: id,
    name,
    products: plaidProducts(products),
    country_codes: [country],
    oauth: login === 'oauth',
    routing_numbers: [],
    connection_availability: routes.length > 0 ? 'SUPPORTED' : 'NOT_SUPPORTED',
    ...(parts.include_optional_metadata
      ? { url: domain === null ? null : `https://${domain}`, primary_color: color, logo: null }
      : {}),
    ...(parts.include_status ? { status: statusOf(institution) } : {}),
    ...(parts.include_auth_metadata
      ? { auth_metadata: authMetadata(products.includes('account_numbers')) }
      : {}),
  };
}

function statusOf({ routes, knownSince }: InstitutionRecord) {
  return Object.fromEntries(
    STATUS_NAMES.flatMap(({ name, product }) => {
      const found = routes
        .filter(({ products }) => products.includes(product))
        .map(({ health }) => health);
      const best = FROM_BEST.find((health) => found.includes(health));
      return best === undefined
        ? []
        : [[name, { ...STATUSES[best], last_status_change: knownSince.toISOString() }]];
    }),
  );
}

function authMetadata(hasNumbers: boolean) {
  return {
    supported_methods: {
      instant_auth: hasNumbers,
      instant_match: false,
      automated_micro_deposits: false,
      instant_micro_deposits: false,
    },
  };
}
