import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type { FaultReason, SourceFault } from '../../domain/refresh/source-fault.js';

/** A part that is read separately, so that a fault in it does not affect other parts. */
export interface ReadScope {
  /**
   * The provider's id of the account that everything in it belongs to; null = no single account.
   */
  account: string | null;
  /** `AccessServices.note`. */
  note(fault: SourceFault): void;
}

/** Unreadable data. Names a resource and a field in the adapter's words, never a value. */
export class Unreadable extends ProviderFailure {
  constructor(
    readonly resource: string,
    readonly field: string,
    readonly reason: FaultReason,
    expected: string,
  ) {
    const place = field === '' ? resource : `${resource}.${field}`;
    super(
      'malformed',
      `The response of the bank could not be understood: ${place} is not ${expected}.`,
    );
  }
}

/** A part that may be omitted, with the description under which a fault in it is noted. */
export interface Part extends ReadScope {
  scope: SourceFault['scope'];
  accountName?: string | null;
}

/**
 * Reads one part of a response.
 * @returns null if it is unreadable, which is noted
 */
export function readPart<T>(part: Part, read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    notePart(part, error);
    return null;
  }
}

/** Reads the items of a list one by one; unreadable ones are noted and omitted. */
export function readEach<Item, T>(
  items: readonly Item[],
  part: Part,
  read: (item: Item) => T,
): T[] {
  return items.flatMap((item) => {
    const result = readPart(part, () => ({ read: read(item) }));
    return result === null ? [] : [result.read];
  });
}

/**
 * Whether the source sent data for a part that cannot be read, be it one field or the whole
 * response. Every other failure means that the part was not sent.
 */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof ProviderFailure && error.providerCause === 'malformed';

/** Notes that a part could not be read. @throws every other error */
export function notePart({ scope, account, accountName, note }: Part, error: unknown): void {
  if (!isUnreadable(error)) throw error;
  note({
    scope,
    account,
    ...(accountName === undefined ? {} : { accountName }),
    ...unreadablePlace(error),
  });
}

/** The place of a failure that is `isUnreadable`. */
export const unreadablePlace = (
  error: unknown,
): Pick<SourceFault, 'resource' | 'field' | 'reason'> => {
  const { resource, field, reason } = error instanceof Unreadable ? error : WHOLE_ANSWER;
  return { resource, field, reason };
};

const WHOLE_ANSWER = { resource: 'answer', field: '', reason: 'wrong_type' } as const;
