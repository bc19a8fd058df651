import { CommandFailure } from '../../../clients/terminal/src/command-failure.js';
import type { Explanation } from '../../../clients/terminal/src/program.js';
import {
  isDatabaseUnreachable,
  setupProblem,
} from '../../../prisma/base/database/database-failures.js';
import { MasterKeysRefused } from '../../../prisma/base/master-keys/master-key.repository.js';
import { SettingsError } from '../../platform/src/config/settings.js';
import { ServiceNotFound } from '../../platform/src/process/find-service.js';

/** Failures whose message is for the operator. */
const EXPECTED = [CommandFailure, ServiceNotFound, SettingsError, MasterKeysRefused];

/** Error codes of the database client that concern the setup of the service, not the command. */
const REASONS: Record<string, string> = {
  P1000: 'The database rejects the user name or password in DATABASE_URL.',
  P1003: 'The database that DATABASE_URL names does not exist.',
  P2021: 'The database has no tables of the service yet. Run the migrations first: npm run migrate',
};

/** The cause for the operator; a stack where nothing is known about it. */
export function explainFailure(error: unknown): Explanation {
  if (!(error instanceof Error)) return { cause: String(error), exitCode: 1 };
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  const cause = isExpected ? error.message : (unreachableReason(error) ?? error.stack);
  return { cause: cause ?? error.message, exitCode: 1 };
}

/**
 * Explains failures that only mean the service is not running or not set up; null for all others.
 */
function unreachableReason(error: unknown): string | null {
  const problem = setupProblem(error);
  if (problem !== null) return problem;
  const code = (error as { code?: unknown } | null)?.code;
  const reason = typeof code === 'string' ? REASONS[code] : undefined;
  if (reason !== undefined) return reason;
  return isDatabaseUnreachable(error)
    ? 'The database does not respond. Is the service running, and does DATABASE_URL or DATA_DIR name the right one?'
    : null;
}
