import { inspectInput } from '../../../http/input/inspect-input.js';
import { PLAID_LIMITS } from '../../../http/input/input-limits.js';
import { readJson } from '../../../http/input/read-input.js';
import type { SandboxData } from '../../../sandbox/custom-sandbox-data.schema.js';
import { OWN_MESSAGES } from '../../../schemas/issue-messages.js';
import { invalidField } from '../../errors/plaid-error.js';
import { withoutNulls } from '../../transport/without-nulls.js';
import { customUser } from './custom-user.schema.js';
import { toSandboxData } from './to-sandbox-data.js';

const FIELD = ['options', 'override_password'];

/**
 * Reads the JSON that Plaid's custom user has as its password. Null = its accounts are generated.
 * Source: plaid-compat 9.
 * @throws PlaidError `INVALID_FIELD` with the path of the first value that cannot be read
 */
export function readCustomUser(password: string, today: string): SandboxData | null {
  const reading = readJson(Buffer.from(password, 'utf8'), PLAID_LIMITS);
  if ('issue' in reading) throw refusal([], 'Must be the JSON of a custom user.');
  const { size, text } = inspectInput('body', reading.value, PLAID_LIMITS);
  const [unfit] = [...size, ...text];
  if (unfit !== undefined) throw refusal(unfit.location.slice(1), unfit.message);
  const result = customUser.safeParse(withoutNulls(reading.value), OWN_MESSAGES);
  if (result.success) return toSandboxData(result.data, today);
  const [issue] = result.error.issues;
  throw refusal(issue?.path ?? [], issue?.message ?? 'Must be a custom user.');
}

const refusal = (path: readonly PropertyKey[], message: string) =>
  invalidField(`${[...FIELD, ...path].map(String).join('.')}: ${message}`);
