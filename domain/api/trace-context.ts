/**
 * The Temporal header that holds the trace id of the request that caused the work. Never renamed,
 * because histories contain it.
 */
export const TRACE_HEADER = 'trace-id';

/** Version, trace id, parent id, flags; later versions may add fields. Source: W3C Trace Context 3.2. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
const TRACE_ID = /^[0-9a-f]{32}$/;
const NONE = /^0+$/;

/** The trace id in a `traceparent` header; null if it is missing or violates the standard. */
export function readTraceparent(header: string | readonly string[] | undefined): string | null {
  const [, version, traceId = '', parentId = '', more] =
    (typeof header === 'string' ? TRACEPARENT.exec(header) : null) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined))
    return null;
  return NONE.test(traceId) || NONE.test(parentId) ? null : traceId;
}

/** 32 hexadecimal digits, not all zero. */
export const isTraceId = (value: unknown): value is string =>
  typeof value === 'string' && TRACE_ID.test(value) && !NONE.test(value);

/**
 * For a request without a trace id.
 * @param uuid a random UUID, whose last 7 bytes are random, as W3C Trace Context 2 requires
 */
export const newTraceId = (uuid: string): string => uuid.replaceAll('-', '');
