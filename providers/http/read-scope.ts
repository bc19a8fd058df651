import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type { FaultReason, SourceFault } from '../../domain/refresh/source-fault.js';

/** What is read by itself, so that a fault in it harms nothing beside it. */
export interface ReadScope {
  /** The provider's id of the account that everything in it belongs to; null = no single account. */
  account: string | null;
  /** `AccessServices.note`. */
  note(fault: SourceFault): void;
}

/** Something that could not be read. Names a resource and a field in the adapter's words, never a value. */
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

/** A part that may be left out, with what a fault in it is noted as. */
export interface Part extends ReadScope {
  scope: SourceFault['scope'];
  accountName?: string | null;
}

/**
 * Reads one part of an answer.
 * @returns null where it cannot be read, which is noted
 */
export function readPart<T>(part: Part, read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    notePart(part, error);
    return null;
  }
}

/** Reads the items of a list one by one; those that cannot be read are noted and left out. */
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
 * What the source sent for a part cannot be read, be it one field or the whole answer. Every other failure says that the
 * part was not sent.
 */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof ProviderFailure && error.providerCause === 'malformed';

/**
 * The source refuses a request as invalid. Where that request continues a listing, the source refuses what it issued itself.
 */
export const isRefusedRequest = (error: unknown): boolean =>
  error instanceof ProviderFailure && error.providerCause === 'internal';

/** Notes that a part could not be read. @throws every other error */
export function notePart({ scope, account, accountName, note }: Part, error: unknown): void {
  if (!isUnreadable(error)) throw error;
  const { resource, field, reason } = error instanceof Unreadable ? error : WHOLE_ANSWER;
  note({
    scope,
    account,
    ...(accountName === undefined ? {} : { accountName }),
    resource,
    field,
    reason,
  });
}

const WHOLE_ANSWER = { resource: 'answer', field: '', reason: 'wrong_type' } as const;
