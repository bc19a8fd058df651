import type { z } from 'zod';
import type { ValidationIssue } from '../../../../../domain/errors/api-errors.js';
import { PLAID_LIMITS } from '../../http/input/input-limits.js';
import { OWN_MESSAGES } from '../../schemas/issue-messages.js';
import { inspectInput } from '../../http/input/inspect-input.js';
import { invalidField, missingFields } from '../errors/plaid-error.js';
import { withoutNulls } from './without-nulls.js';

/** plaid-compat 2, 6.3: any invalid token or cursor has the same error, which its handler throws. */
const READ_LATER: ReadonlySet<unknown> = new Set([
  'access_token',
  'public_token',
  'link_token',
  'cursor',
]);

/**
 * Checks a body against the fields of a call. `null` means absent, at every depth; unknown fields are ignored, within the
 * limits of every request. All missing required fields are reported before any value is checked. Source: plaid-compat 1.1,
 * 1.2, 4.
 *
 * @throws PlaidError
 */
export function checkFields(schema: z.ZodType, body: Readonly<Record<string, unknown>>): unknown {
  const { size, text } = inspectInput('body', body, PLAID_LIMITS);
  refuse(size);
  const result = schema.safeParse(withoutNulls(body), OWN_MESSAGES);
  if (result.success) {
    refuse(text.filter(({ location: [, field] }) => !READ_LATER.has(field)));
    return result.data;
  }
  const missing = result.error.issues.filter(
    (issue) => issue.code === 'invalid_type' && issue.input === undefined,
  );
  if (missing.length > 0) throw missingFields(missing.map(({ path }) => nameOf(path)));
  const [issue] = result.error.issues;
  throw invalidField(
    issue === undefined
      ? 'the request has a field with a value it cannot have'
      : `${nameOf(issue.path)}: ${issue.message}`,
  );
}

/** @throws PlaidError for the first of the issues */
function refuse([issue]: readonly ValidationIssue[]): void {
  if (issue !== undefined)
    throw invalidField(`${nameOf(issue.location.slice(1))}: ${issue.message}`);
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}
