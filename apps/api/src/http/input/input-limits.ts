/**
 * The size limits of one request, checked before anything in it is interpreted. Source: native-api
 * 1.4.
 */
export interface InputLimits {
  /** Bytes of the body. */
  bytes: number;
  queryBytes: number;
  /** Parameters of a query or form, including repeated names. */
  parameters: number;
  /** Maximum repetitions of one name in a query or form. */
  repetitions: number;
  /** Nesting depth of objects and arrays, including the outermost one. */
  depth: number;
  /** All objects, arrays and values in them. */
  values: number;
  /** Members of one object. */
  members: number;
  /** Characters of a member name. */
  name: number;
  /** Elements of an array whose name is not in `arrays`. */
  elements: number;
  /** Maximum elements, by the name of the member that contains the array. */
  arrays: Readonly<Record<string, number>>;
  /** Characters of one string. */
  text: number;
}

export const MAX_IMPORTED_ACCOUNTS = 200;
/** Rows of an import, or of custom sandbox data. */
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
/** For a form of a few fields. */
export const FORM_LIMITS: Partial<InputLimits> = {
  bytes: 8 * 1024,
  parameters: 100,
  repetitions: 10,
};

const LARGE = { bytes: 1024 * 1024, values: 100_000 };

/** For a body with rows: the maximum elements of its arrays, by the name of their member. */
export const rowLimits = (arrays: InputLimits['arrays']): Partial<InputLimits> => ({
  ...LARGE,
  arrays,
});

/** The limits of a route: the defaults, except for what it declares. */
export function limitsOf({ limits }: { limits?: Partial<InputLimits> }): InputLimits {
  return { ...DEFAULT, ...limits };
}

/** The maximum length of an array in a member of this name. */
export function elementsOf(
  { arrays, elements }: Pick<InputLimits, 'arrays' | 'elements'>,
  name: string,
): number {
  return Object.hasOwn(arrays, name) ? (arrays[name] ?? elements) : elements;
}

/** For every call of the compatibility layer. Source: plaid-compat 1.1. */
export const PLAID_LIMITS: InputLimits = { ...DEFAULT, bytes: LARGE.bytes };
