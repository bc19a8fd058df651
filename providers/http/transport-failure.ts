import { ProviderFailure, type ProviderCause } from '../../domain/errors/provider-failure.js';
import { ADDRESS_REFUSED } from './guarded-lookup.js';

/** The conclusion from a broken connection about the remote side. */
export type Unreachable = 'institution_down' | 'provider_down';

const TEXTS = {
  institution_down: 'The bank is not available.',
  provider_down: 'The data provider is not available.',
  institution_timeout: 'The bank did not respond in time.',
  malformed: 'The response of the bank could not be understood.',
  internal: 'The bank rejected the request as invalid.',
} as const satisfies Partial<Record<ProviderCause, string>>;

const REFUSED = 'The connection leads to an address that is never called.';

/**
 * By the error code of Node or undici, or by the error's name if it has no code. Any other broken
 * connection means that the remote side is down.
 */
const BY_CODE: Readonly<Record<string, keyof typeof TEXTS>> = {
  UND_ERR_CONNECT_TIMEOUT: 'institution_timeout',
  UND_ERR_HEADERS_TIMEOUT: 'institution_timeout',
  UND_ERR_BODY_TIMEOUT: 'institution_timeout',
  ETIMEDOUT: 'institution_timeout',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'malformed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'malformed',
  UND_ERR_HEADERS_OVERFLOW: 'malformed',
  HTTPParserError: 'malformed',
  UND_ERR_INVALID_ARG: 'internal',
  UND_ERR_NOT_SUPPORTED: 'internal',
  [ADDRESS_REFUSED]: 'internal',
};

/**
 * The failure for a broken or silent connection, for every adapter. It contains only the error's
 * code.
 */
export function transportFailure(error: unknown, unreachable: Unreachable): ProviderFailure {
  const code = codeOf(error);
  // HPE_…: the response is not HTTP.
  const cause = BY_CODE[code] ?? (code.startsWith('HPE_') ? 'malformed' : unreachable);
  const text = code === ADDRESS_REFUSED ? REFUSED : TEXTS[cause];
  return new ProviderFailure(cause, `${text} (${code || 'no code'})`);
}

/** Node's codes for certificates that it does not accept. */
const CERTIFICATE = /\((CERT_\w+|(DEPTH_ZERO_)?SELF_SIGNED_\w+|UNABLE_TO_\w+|ERR_TLS_CERT_\w+)\)$/;

/** The operator's remedy for a connection that cannot be made, by its code; null = unknown. */
export function connectionRemedy({ message }: ProviderFailure): string | null {
  if (message.endsWith(`(${ADDRESS_REFUSED})`))
    return 'Its address is one of this machine, of a private network or of no one: Live connects to public addresses only. Correct the setting, or what the name resolves to (DNS). Simulators belong to configurations with --environment sandbox.';
  return CERTIFICATE.test(message)
    ? 'Set the clock of this machine by a time server (NTP). If it is right, the certificate of the server has ended, or is not from an authority that this machine knows.'
    : null;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

const MAX_RETRY_AFTER_SECONDS = 86_400;

/** The seconds of a `Retry-After` header, at most a day; null for a date or anything else. */
export function retryAfterSeconds(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string' || !/^\d{1,9}$/.test(header)) return null;
  return Math.min(Number(header), MAX_RETRY_AFTER_SECONDS);
}
