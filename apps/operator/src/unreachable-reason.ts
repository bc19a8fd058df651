import {
  isDatabaseUnreachable,
  setupProblem,
} from '../../../prisma/base/database/database-failures.js';

/** Error codes of the database client that concern the setup of the service, not the command. */
const REASONS: Record<string, string> = {
  P1000: 'The database rejects the user name or password in DATABASE_URL.',
  P1003: 'The database that DATABASE_URL names does not exist.',
  P2021: 'The database has no tables of the service yet. Run the migrations first: npm run migrate',
};

/**
 * Explains failures that only mean the service is not running or not set up; null for all others.
 */
export function unreachableReason(error: unknown): string | null {
  const problem = setupProblem(error);
  if (problem !== null) return problem;
  const code = (error as { code?: unknown } | null)?.code;
  const reason = typeof code === 'string' ? REASONS[code] : undefined;
  if (reason !== undefined) return reason;
  return isDatabaseUnreachable(error)
    ? 'The database does not respond. Is the service running, and does DATABASE_URL or DATA_DIR name the right one?'
    : null;
}
