import { ApiError, ServiceConnectionError, UnexpectedResponseError } from '../errors.js';
import type { ApiError as ErrorBody } from '../generated/types.js';
import { apiErrorFrom } from './error-families.js';

/** Parses JSON; the client's option `money` chooses how. */
export type ParseJson = (text: string) => unknown;

/** Something in front of the service did not pass the request on, or asks for a new connection. */
const NOT_RECEIVED: readonly number[] = [408, 421, 425];

/** The body of a successful response, which has to be a JSON object. */
export async function readObject(
  response: Response,
  requestIdHeader: string,
  parse: ParseJson,
): Promise<unknown> {
  const body = parsed(await response.text(), parse);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw unexpected('The response is not one of this API', response, requestIdHeader);
}

/**
 * The error of a response with another status than 2xx.
 * @param requestIdHeader the name of the header with the request id
 */
export async function readError(
  response: Response,
  requestIdHeader: string,
): Promise<ApiError | ServiceConnectionError | UnexpectedResponseError> {
  const { status, headers } = response;
  if (status < 400) {
    await response.body?.cancel();
    return unexpected(
      'The address of the service responds with a redirect',
      response,
      requestIdHeader,
    );
  }
  // Read whatever its type is: a proxy in front of the service responds with a page.
  const text = await response.text();
  if (NOT_RECEIVED.includes(status))
    return new ServiceConnectionError(
      `The request did not reach the service (${status}).`,
      'connection_failed',
    );
  const body = (parsed(text, JSON.parse) ?? {}) as Partial<Record<keyof ErrorBody, unknown>>;
  return apiErrorFrom({
    status,
    code: textIn(body.error_code) ?? 'http_error',
    message: textIn(body.error_message) ?? `The service responded with status ${status}.`,
    requestId: headers.get(requestIdHeader) ?? undefined,
    documentationUrl: textIn(body.documentation_url),
    retryAfter: secondsIn(headers.get('retry-after')),
    issues: (Array.isArray(body.validation_errors)
      ? body.validation_errors
      : []) as ErrorBody['validation_errors'] & object,
    linkErrorCode: textIn(body.link_error_code) as ErrorBody['link_error_code'],
    requiredScope: scopeIn(headers.get('www-authenticate')),
  });
}

function unexpected(
  message: string,
  { status, headers }: Response,
  requestIdHeader: string,
): UnexpectedResponseError {
  const requestId = headers.get(requestIdHeader) ?? undefined;
  return new UnexpectedResponseError(
    `${message} (${status}): is this the address of the service?`,
    status,
    requestId,
  );
}

function parsed(text: string, parse: ParseJson): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** The scope that the token lacks (RFC 6750, 3.1); empty if the service does not name it. */
function scopeIn(challenge: string | null): string | undefined {
  if (challenge?.includes('error="insufficient_scope"') !== true) return undefined;
  return /\bscope="([^"]*)"/.exec(challenge)?.[1] ?? '';
}

/** `Retry-After` in seconds: RFC 9110 allows whole seconds and a date. */
function secondsIn(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}
