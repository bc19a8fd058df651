import type { AttemptError } from '../../../../domain/webhooks/judge-attempt.js';
import { AddressRefused } from '../../../platform/src/addresses/resolve-target.js';

const TLS =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|EPROTO)/;
const TIMEOUT = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT']);

/** The reason for a missing response. Source: webhooks 9, `attempts[].error`. */
export function classifyFailure(error: unknown): Exclude<AttemptError, 'http_status'> {
  if (error instanceof AddressRefused) return 'address_refused';
  const codes = codesOf(error);
  if (codes.some((code) => TLS.test(code))) return 'tls';
  return codes.length > 0 && codes.every((code) => TIMEOUT.has(code)) ? 'timeout' : 'connect';
}

interface CodedError {
  code?: unknown;
  /** One error for each address of a name. */
  errors?: unknown;
}

function codesOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { code, errors }: CodedError = error;
  if (Array.isArray(errors)) return errors.flatMap(codesOf);
  return typeof code === 'string' ? [code] : [];
}
