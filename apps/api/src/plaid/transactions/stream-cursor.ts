import {
  decodePositions,
  encodePositions,
  type CursorForm,
  type CursorMac,
} from '../../../../../domain/api/cursor-text.js';

/** Where a client stands in a stream of changes. Source: plaid-compat 5.4. */
export interface StreamCursor {
  /** Where a stream that began `now` began; else 0. */
  origin: bigint;
  /** Up to where the client has been told everything. */
  base: bigint;
  /** The update under way: the last position given, and the end of the stream when it began; null = completed. */
  underWay: { position: bigint; horizon: bigint } | null;
}

/** A stream is all of a link's changes, or those of one account. A cursor serves only the stream it was written for. */
export interface StreamName {
  linkId: string;
  accountId: string | null;
}

export const STREAM_START: StreamCursor = { origin: 0n, base: 0n, underWay: null };

const FORM: CursorForm = { version: 2, positions: 4 };

/** Holds no time or random part: equal states give equal strings, of 71 characters. */
export function encodeStreamCursor(
  { origin, base, underWay }: StreamCursor,
  stream: StreamName,
  keyId: number,
  mac: CursorMac,
): string {
  return encodePositions(
    FORM,
    [origin, base, underWay?.position ?? 0n, underWay?.horizon ?? 0n],
    nameOf(stream),
    keyId,
    mac,
  );
}

/** Null for anything this service did not write for this stream. A position is at least 2, so 0 tells a completed one. */
export function decodeStreamCursor(
  text: string,
  stream: StreamName,
  mac: CursorMac,
): StreamCursor | null {
  const [origin, base, position, horizon] = decodePositions(FORM, text, nameOf(stream), mac) ?? [];
  if (origin === undefined || base === undefined || position === undefined || horizon === undefined)
    return null;
  return { origin, base, underWay: position === 0n ? null : { position, horizon } };
}

function nameOf({ linkId, accountId }: StreamName): string {
  return accountId === null ? linkId : `${linkId} ${accountId}`;
}
