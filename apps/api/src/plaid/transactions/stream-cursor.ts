import {
  decodePositions,
  encodePositions,
  type CursorForm,
  type CursorMac,
} from '../../../../../domain/api/cursor-text.js';

/** The position of a client in a stream of changes. Source: plaid-compat 5.4. */
export interface StreamCursor {
  /** The first position of a stream that started at `now`; else 0. */
  origin: bigint;
  /** The client has received every change up to here. */
  base: bigint;
  /** The current update: the last returned position, and the end of the stream when the update started; null = completed. */
  inProgress: { position: bigint; horizon: bigint } | null;
}

/** A stream has all changes of a link, or those of one account. A cursor is valid only for its stream. */
export interface StreamName {
  linkId: string;
  accountId: string | null;
}

export const STREAM_START: StreamCursor = { origin: 0n, base: 0n, inProgress: null };

const FORM: CursorForm = { version: 2, positions: 4 };

/** 71 characters. Equal states have equal cursors, because a cursor has no time and no random part. */
export function encodeStreamCursor(
  { origin, base, inProgress }: StreamCursor,
  stream: StreamName,
  keyId: number,
  mac: CursorMac,
): string {
  return encodePositions(
    FORM,
    [origin, base, inProgress?.position ?? 0n, inProgress?.horizon ?? 0n],
    nameOf(stream),
    keyId,
    mac,
  );
}

/** Null for any text this service did not write for this stream. Positions start at 2; 0 marks a completed update. */
export function decodeStreamCursor(
  text: string,
  stream: StreamName,
  mac: CursorMac,
): StreamCursor | null {
  const [origin, base, position, horizon] = decodePositions(FORM, text, nameOf(stream), mac) ?? [];
  if (origin === undefined || base === undefined || position === undefined || horizon === undefined)
    return null;
  return { origin, base, inProgress: position === 0n ? null : { position, horizon } };
}

function nameOf({ linkId, accountId }: StreamName): string {
  return accountId === null ? linkId : `${linkId} ${accountId}`;
}
