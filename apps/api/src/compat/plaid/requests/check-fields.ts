import type { z } from 'zod';
import { invalidField, missingFields } from '../errors/plaid-error.js';

/**
 * Checks a body against the fields of a call. `null` is "not given", at every depth; unknown fields are ignored. Every
 * required field that is missing is named before anything else is looked at. Source: plaid-compat 1.1, 1.2, 4.
 *
 * @throws PlaidError
 */
export function checkFields(schema: z.ZodType, body: Readonly<Record<string, unknown>>): unknown {
  const result = schema.safeParse(withoutNulls(body), { reportInput: true });
  if (result.success) return result.data;
  const missing = result.error.issues.filter((issue) => issue.code === 'invalid_type' && issue.input === undefined);
  if (missing.length > 0) throw missingFields(missing.map(({ path }) => nameOf(path)));
  const [issue] = result.error.issues;
  throw invalidField(issue === undefined ? 'the request has a field with a value it cannot have' : `${nameOf(issue.path)}: ${issue.message}`);
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

/** Members of lists stay: a list of nothing is a mistake, not an omission. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => (typeof entry === 'object' && entry !== null ? withoutNulls(entry) : (entry as unknown)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => (inner === null ? [] : [[name, withoutNulls(inner)]])));
}
