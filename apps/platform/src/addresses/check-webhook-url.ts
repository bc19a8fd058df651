import { parseUrl } from '../../../../domain/addresses/parse-url.js';
import type { ValidationIssue } from '../../../../domain/errors/api-errors.js';
import type { Environment } from '../../../../domain/api/environment.js';
import {
  AddressRules,
  literalAddress,
  type WebhookRanges,
} from '../../../../domain/addresses/address-rules.js';

/** native-api 1, "Body size": the length of `webhook`. */
const MAX_LENGTH = 2_048;

/**
 * The rules that apply when an address is set: format, scheme, and a literal target in any spelling. A host name is
 * checked at every attempt instead. Source: webhooks 7.
 *
 * @returns the violated rule, or null
 */
export function checkWebhookUrl(
  url: string,
  environment: Environment,
  ranges: WebhookRanges,
  location: readonly (string | number)[] = ['body', 'webhook'],
): ValidationIssue | null {
  const problem = problemOf(url, environment, new AddressRules(ranges));
  return problem === null ? null : { location: [...location], ...problem };
}

function problemOf(
  url: string,
  environment: Environment,
  rules: AddressRules,
): Pick<ValidationIssue, 'message' | 'type'> | null {
  if (url.length > MAX_LENGTH)
    return { message: `must have at most ${MAX_LENGTH} characters`, type: 'too_big' };
  const parsed = parseUrl(url);
  if (!/^https?:\/\/[^/\s\p{Cc}\\][^\s\p{Cc}\\]*$/iu.test(url) || parsed === null)
    return { message: 'must be an absolute https address', type: 'invalid_format' };
  const { protocol, hostname } = parsed;
  if (protocol === 'http:' && environment === 'live')
    return { message: 'must be an https address', type: 'invalid_format' };
  if (/^[^/]*\/\/[^/?#]*@/.test(url))
    return { message: 'must not hold a user name or password', type: 'invalid_format' };
  if (url.includes('#')) return { message: 'must not have a fragment', type: 'invalid_format' };
  const literal = literalAddress(hostname);
  return literal !== null && rules.refuses(literal)
    ? { message: 'must not be an address of a private network', type: 'address_refused' }
    : null;
}
