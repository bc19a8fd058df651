/** SQLSTATEs after which the same transaction may succeed: serialization failure and deadlock. */
const CONFLICTS = new Set(['40001', '40P01', 'P2034']);

/** The server is away, starting, stopping, or the connection broke. */
const UNREACHABLE = new Set([
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '53300',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
]);
const UNREACHABLE_TEXT =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|server closed the connection|Can't reach database server|Unable to start a transaction/i;

/** The server answers, but a lock was held for longer than a caller should wait. */
const BUSY = new Set(['55P03']);

/** A statement, a pause between two of them, or a whole transaction exceeded its own time. */
const TOO_LONG = new Set(['57014', '25P03', 'P2028']);

export function isWorthRetrying(error: unknown): boolean {
  return codesOf(error).some((code) => CONFLICTS.has(code));
}

/** True when the database, not the request, is the reason: the answer is 503, and trying again later makes sense. */
export function isDatabaseUnreachable(error: unknown): boolean {
  return (
    codesOf(error).some((code) => UNREACHABLE.has(code)) ||
    textsOf(error).some((text) => UNREACHABLE_TEXT.test(text))
  );
}

/**
 * True when the database gave up on waiting: nothing was written, and asking again at once would make it worse. The
 * answer is 503, as for an unreachable one.
 */
function isDatabaseBusy(error: unknown): boolean {
  return codesOf(error).some((code) => BUSY.has(code));
}

/**
 * True when the work itself exceeded a time limit. Work in the background may be tried later; a caller who repeats the
 * request would wait for the same end.
 */
export function isWorkTooLong(error: unknown): boolean {
  return !isDatabaseUnreachable(error) && codesOf(error).some((code) => TOO_LONG.has(code));
}

/** The work is not at fault and may well succeed later: unreachable, in conflict, busy, or too slow for once. */
export function isTemporaryDatabaseFailure(error: unknown): boolean {
  return (
    isDatabaseUnreachable(error) ||
    isWorthRetrying(error) ||
    isDatabaseBusy(error) ||
    isWorkTooLong(error)
  );
}

/** True when the app whose work it is already has its share of the database. Trying again soon makes sense. */
export function isOwnerBusy(error: unknown): boolean {
  return codesOf(error).includes('OWNER_BUSY');
}

/** True for a violated unique index or primary key. */
export function isUniqueViolation(error: unknown): boolean {
  return codesOf(error).some((code) => code === '23505' || code === 'P2002');
}

/** Every error code in an error, its causes and what a driver adapter wrapped into it. */
function codesOf(error: unknown): string[] {
  return chainOf(error).flatMap((link) =>
    [link.code, link.originalCode].filter((code): code is string => typeof code === 'string'),
  );
}

function textsOf(error: unknown): string[] {
  return chainOf(error).flatMap((link) =>
    [link.message, link.originalMessage].filter((text): text is string => typeof text === 'string'),
  );
}

interface ErrorLike {
  code?: unknown;
  originalCode?: unknown;
  message?: unknown;
  originalMessage?: unknown;
  cause?: unknown;
  meta?: { driverAdapterError?: unknown };
  errors?: unknown;
}

function chainOf(error: unknown): ErrorLike[] {
  const seen: ErrorLike[] = [];
  const open: unknown[] = [error];
  while (open.length > 0 && seen.length < 20) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null || seen.includes(next)) continue;
    const link: ErrorLike = next;
    seen.push(link);
    open.push(
      link.cause,
      link.meta?.driverAdapterError,
      ...(Array.isArray(link.errors) ? (link.errors as unknown[]) : []),
    );
  }
  return seen;
}
