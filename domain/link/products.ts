/** The products an app can request. Source: link-lifecycle 1. */
export const PRODUCTS = [
  'accounts',
  'account_numbers',
  'identity',
  'transactions',
  'investments',
  'liabilities',
] as const;
export type Product = (typeof PRODUCTS)[number];

/**
 * The products of the first API version: what a request without products means, and the only names
 * in `available_products`, since clients with a closed list of products exist. Source: native-api 4.2.
 */
export const FIRST_PRODUCTS = [
  'accounts',
  'account_numbers',
  'identity',
  'transactions',
] as const satisfies readonly Product[];

/** Settings of one product of a link. Source: link-lifecycle 2.3. */
export interface ProductSettings {
  required: boolean;
  prefetch: boolean;
  extend_history: boolean;
  require_permission: boolean;
  reason: string | null;
}

export const DEFAULT_PRODUCT_SETTINGS: Readonly<ProductSettings> = {
  required: false,
  prefetch: false,
  extend_history: false,
  require_permission: false,
  reason: null,
};

export type RequestedProducts = Partial<Record<Product, ProductSettings>>;

/** Products an institution must support to be offered. Source: link-lifecycle 2.3. */
export function requiredProducts(requested: RequestedProducts): Product[] {
  return PRODUCTS.filter((product) => requested[product]?.required === true);
}

/**
 * The products of a session request, in three forms: a list, an object with settings, and a
 * separate settings object.
 */
export interface ProductRequest {
  products?: readonly Product[] | Partial<Record<Product, Partial<ProductSettings>>>;
  productsSettings?: Partial<Record<Product, Partial<ProductSettings>>>;
}

/**
 * Merges the three forms in which a session request names products. `accounts` is always included
 * and has no settings. Source: link-lifecycle 2.2.
 */
export function combineRequestedProducts({
  products = [],
  productsSettings = {},
}: ProductRequest): RequestedProducts {
  const fromObject: Partial<Record<Product, Partial<ProductSettings>>> = Array.isArray(products)
    ? {}
    : (products as Partial<Record<Product, Partial<ProductSettings>>>);
  const listed = Array.isArray(products)
    ? (products as readonly Product[])
    : Object.keys(fromObject);
  const named = new Set<string>([...listed, ...Object.keys(productsSettings), 'accounts']);
  const combined: RequestedProducts = {};
  for (const product of PRODUCTS) {
    if (!named.has(product)) continue;
    combined[product] =
      product === 'accounts'
        ? { ...DEFAULT_PRODUCT_SETTINGS }
        : { ...DEFAULT_PRODUCT_SETTINGS, ...fromObject[product], ...productsSettings[product] };
  }
  return combined;
}
