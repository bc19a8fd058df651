import { z } from 'zod';
import { VENDOR_NAMES, type VendorName } from '../../vendors.js';
import { patternOf } from './misbehaviors.js';

const PLACE = /^\w[\w-]*(\[(\d{1,4}|\*)\])*(\.\w[\w-]*(\[(\d{1,4}|\*)\])*)*$/;

/** Input of `untidy`; the vendor is by default the one that was called. */
export const untidyParams = z.strictObject({
  path: z.string().startsWith('/').default('/*'),
  place: z.string().regex(PLACE, 'must be like accounts[0].currency, with * for every item'),
  /** Missing = the place is missing. */
  value: z.unknown().optional(),
  vendor: z.enum(VENDOR_NAMES).optional(),
});

/** One value that a vendor sends instead of the true one. */
export interface UntidyValue {
  vendor: VendorName;
  path: string;
  place: string;
  value?: unknown;
}

/** The untidy values that were ordered; they stay until `tidy`. */
export class UntidyAnswers {
  #ordered: UntidyValue[] = [];

  order(vendor: VendorName, params: unknown): UntidyValue {
    const { vendor: named, ...given } = untidyParams.parse(params);
    const ordered = { ...given, vendor: named ?? vendor };
    this.#ordered.push(ordered);
    return ordered;
  }

  clear(): void {
    this.#ordered = [];
  }

  /** Changes the responses to a request; null = no change. */
  changeFor(request: { vendor: VendorName; path: string }): ((answer: unknown) => unknown) | null {
    const fitting = this.#ordered.filter(
      ({ vendor, path }) => vendor === request.vendor && patternOf(path).test(request.path),
    );
    if (fitting.length === 0) return null;
    return (answer) =>
      fitting.reduce(
        (changed, { place, ...order }) => replace(changed, place.match(/[\w-]+|\*/g) ?? [], order),
        answer,
      );
  }
}

/** Places that a response does not have stay missing. */
function replace(
  answer: unknown,
  [key, ...rest]: readonly string[],
  order: Pick<UntidyValue, 'value'>,
): unknown {
  if (key === undefined) return order.value;
  const isLast = rest.length === 0;
  if (Array.isArray(answer))
    return answer.flatMap((item: unknown, at) =>
      key !== '*' && key !== String(at)
        ? [item]
        : isLast && order.value === undefined
          ? []
          : [replace(item, rest, order)],
    );
  if (typeof answer !== 'object' || answer === null) return answer;
  const { [key]: part, ...others } = answer as Record<string, unknown>;
  if (part === undefined && !isLast) return answer;
  return isLast && order.value === undefined
    ? others
    : { ...answer, [key]: replace(part, rest, order) };
}
