import { z } from 'zod';
import { VENDOR_NAMES, type VendorName } from '../../vendors.js';

export const MISBEHAVIOR_KINDS = [
  /** Breaks the connection before any response. */
  'refuse',
  /** Accepts the request and never responds. */
  'silent',
  /** Sends a byte now and then, without an end. */
  'slow',
  /** A JSON body over 20 MB. */
  'huge',
  /** The refusal of a web shield in front of the vendor, as a page. */
  'html_403',
  'status_500',
  'status_429',
  /** Truncated JSON. */
  'broken_json',
  /** JSON without the requested content. */
  'wrong_shape',
  /** To `location`. */
  'redirect',
] as const;
export type MisbehaviorKind = (typeof MISBEHAVIOR_KINDS)[number];

/** A server that misbehaves for some calls. */
export interface Misbehavior {
  kind: MisbehaviorKind;
  vendor: VendorName;
  /** Of the whole path, with `*` for any characters: `/simplefin/accounts`, `/accounts/*`. */
  path: string;
  method: string | null;
  /** Remaining calls. */
  times: number;
  /** The target of `redirect`. */
  location: string;
}

/** Input of a misbehavior; the vendor is by default the one that was called. */
export const misbehaviorParams = z.strictObject({
  path: z.string().startsWith('/').default('/*'),
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).nullable().default(null),
  times: z.int().positive().default(1),
  location: z.string().default('/elsewhere'),
  vendor: z.enum(VENDOR_NAMES).optional(),
});

export const isMisbehaviorKind = (name: string): name is MisbehaviorKind =>
  MISBEHAVIOR_KINDS.some((kind) => kind === name);

/** The misbehaviors that were ordered and are not used up. */
export class Misbehaviors {
  #ordered: Misbehavior[] = [];

  order(kind: MisbehaviorKind, vendor: VendorName, params: unknown = {}): Misbehavior {
    const ordered = { vendor, ...dropUndefined(misbehaviorParams.parse(params)), kind };
    this.#ordered.push(ordered);
    return ordered;
  }

  /** Uses up one call of the first misbehavior that fits a request. */
  take(request: { vendor: VendorName; method: string; path: string }): Misbehavior | null {
    const fits = this.#ordered.find(
      ({ vendor, method, path }) =>
        vendor === request.vendor &&
        (method === null || method === request.method) &&
        patternOf(path).test(request.path),
    );
    if (fits === undefined) return null;
    fits.times -= 1;
    this.#ordered = this.#ordered.filter(({ times }) => times > 0);
    return fits;
  }

  clear(): void {
    this.#ordered = [];
  }
}

function dropUndefined<T extends { vendor?: VendorName }>({ vendor, ...others }: T) {
  return vendor === undefined ? others : { ...others, vendor };
}

/** Of a whole path, with `*` for any characters. */
export function patternOf(path: string): RegExp {
  const escaped = path.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`);
}
