/**
 * SQLSTATEs after which repeating the same transaction may succeed: serialization failure and
 * deadlock.
 */
const CONFLICTS = new Set(['40001', '40P01', 'P2034']);

/** The service cannot use the server until an operator changes something. */
const SETUP = new Set(['FOREIGN_DATABASE', 'DROPPED_SETTINGS', 'CONNECTION_REFUSED_BY_SETTINGS']);

/** The server is unreachable, starting or stopping, or the connection broke. */
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
  ...SETUP,
]);
const UNREACHABLE_TEXT =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|server closed the connection|Can't reach database server|Unable to start a transaction/i;

/** The server responds, but a lock was held for longer than a caller should wait. */
const BUSY = new Set(['55P03']);

/** A statement, a pause between two statements, or a whole transaction exceeded its time limit. */
const TOO_LONG = new Set(['57014', '25P03', 'P2028']);

export function isWorthRetrying(error: unknown): boolean {
  return codesOf(error).some((code) => CONFLICTS.has(code));
}

/**
 * True when the database, not the request, is the cause: the response is 503, and a later retry
 * makes sense.
 */
export function isDatabaseUnreachable(error: unknown): boolean {
  return (
    codesOf(error).some((code) => UNREACHABLE.has(code)) ||
    textsOf(error).some((text) => UNREACHABLE_TEXT.test(text))
  );
}

/**
 * True when the database timed out waiting for a lock: nothing was written, and an immediate retry
 * would make it worse. The response is 503, as for an unreachable database.
 */
function isDatabaseBusy(error: unknown): boolean {
  return codesOf(error).some((code) => BUSY.has(code));
}

/**
 * True when the work itself exceeded a time limit: it may be retried later, and never at once.
 */
export function isWorkTooLong(error: unknown): boolean {
  return !isDatabaseUnreachable(error) && codesOf(error).some((code) => TOO_LONG.has(code));
}

/**
 * True when the work may well succeed later: the database was unreachable, in conflict, busy, or
 * too slow this once.
 */
export function isTemporaryDatabaseFailure(error: unknown): boolean {
  return (
    isDatabaseUnreachable(error) ||
    isWorthRetrying(error) ||
    isDatabaseBusy(error) ||
    isWorkTooLong(error)
  );
}

/**
 * True when the owner of the work already uses its share of the database. Retrying soon makes
 * sense.
 */
export function isOwnerBusy(error: unknown): boolean {
  return codesOf(error).includes('OWNER_BUSY');
}

/** True when the database was restored or failed over, and `operator recover` has not adopted it. */
export function isForeignDatabase(error: unknown): boolean {
  return codesOf(error).includes('FOREIGN_DATABASE');
}

/**
 * The line with the remedy when the service cannot use the server's current setup
 * (database-identity.ts, explain-connection.ts); null for all other failures. Prisma adds its own
 * lines before it.
 */
export function setupProblem(error: unknown): string | null {
  const hasOne = codesOf(error).some((code) => SETUP.has(code));
  const message = error instanceof Error ? error.message : '';
  return hasOne ? (message.trim().split('\n').at(-1) ?? message) : null;
}

/** True for a violated unique index or primary key. */
export function isUniqueViolation(error: unknown): boolean {
  return codesOf(error).some((code) => code === '23505' || code === 'P2002');
}

/** Every error code in an error, in its causes and in the error that a driver adapter wrapped. */
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
