/** How much one request may hold; checked before anything in it is interpreted. Source: native-api 1.4. */
export interface InputLimits {
  /** Of the body. */
  bytes: number;
  queryBytes: number;
  /** Of a query or a form, repeated names included. */
  parameters: number;
  /** How often a query or a form may give one name. */
  repetitions: number;
  /** How deep objects and arrays may be nested, the outermost one included. */
  depth: number;
  /** Objects, arrays and everything in them. */
  values: number;
  /** Of one object. */
  members: number;
  /** Characters of the name of a member. */
  name: number;
  /** Of an array whose name is not in `arrays`. */
  elements: number;
  /** Elements by the name of the member that holds the array. */
  arrays: Readonly<Record<string, number>>;
  /** Characters of one text. */
  text: number;
}

export const MAX_IMPORTED_ACCOUNTS = 200;
/** Of an import, or of the data of a sandbox user. */
export const MAX_ROWS = 5_000;

const DEFAULT: InputLimits = {
  bytes: 256 * 1024,
  queryBytes: 16 * 1024,
  parameters: 1_000,
  repetitions: 1_000,
  depth: 32,
  values: 20_000,
  members: 1_000,
  name: 256,
  elements: 1_000,
  arrays: {},
  text: 70_000,
};
const FORM = { bytes: 8 * 1024, parameters: 100, repetitions: 10 };
const SESSION_ARRAYS = { products: 100, countries: 100, providers: 100, transactions: MAX_ROWS };
const LARGE = { bytes: 1024 * 1024, values: 100_000 };

/** What differs from the default, by method and path of the route. */
const OF_ROUTE: Readonly<Record<string, Partial<InputLimits>>> = {
  'POST /auth/token': FORM,
  'POST /oauth/token': FORM,
  'POST /link-session': { ...LARGE, arrays: SESSION_ARRAYS },
  'POST /sandbox/link': { ...LARGE, arrays: SESSION_ARRAYS },
  'POST /links/import': {
    ...LARGE,
    arrays: { accounts: MAX_IMPORTED_ACCOUNTS, transactions: MAX_ROWS },
  },
  'POST /links/:id/import/transactions': { ...LARGE, arrays: { transactions: MAX_ROWS } },
};

export function limitsOf({ method, path }: { method: string; path: string }): InputLimits {
  return { ...DEFAULT, ...OF_ROUTE[`${method} ${path}`] };
}

/** How many elements an array may have that stands in a member of this name. */
export function elementsOf(
  { arrays, elements }: Pick<InputLimits, 'arrays' | 'elements'>,
  name: string,
): number {
  return Object.hasOwn(arrays, name) ? (arrays[name] ?? elements) : elements;
}

/** Of every call of the compatibility layer. Source: plaid-compat 1.1. */
export const PLAID_LIMITS: InputLimits = { ...DEFAULT, bytes: LARGE.bytes };
