import { ApiError, ConnectionError } from '../errors.js';
import type { ApiError as ErrorBody } from '../generated/types.js';
import { apiErrorFrom } from './error-families.js';

/** The body of a successful response as JSON; null where there is none. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return null;
  const body = parsed(text);
  if (body === undefined)
    throw new ConnectionError(
      'The response is not JSON: is this the address of the service?',
      'connection_failed',
    );
  return body;
}

/**
 * The error of a response with another status than 2xx.
 * @param requestIdHeader the name of the header with the request id
 */
export async function readError(
  response: Response,
  requestIdHeader: string,
): Promise<ApiError | ConnectionError> {
  if (response.status < 400) {
    await response.body?.cancel();
    return new ConnectionError(
      `The address of the service responds with a redirect (${response.status}).`,
      'connection_failed',
    );
  }
  // Read whatever its type is: a proxy in front of the service responds with a page.
  const body = parsed(await response.text()) as Partial<ErrorBody> | null | undefined;
  return apiErrorFrom({
    status: response.status,
    code: body?.error_code ?? 'http_error',
    message: body?.error_message ?? `The service responded with status ${response.status}.`,
    requestId: response.headers.get(requestIdHeader) ?? undefined,
    documentationUrl: body?.documentation_url ?? undefined,
    retryAfter: secondsIn(response.headers.get('retry-after')),
    issues: body?.validation_errors ?? [],
    linkErrorCode: body?.link_error_code,
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `Retry-After` in seconds: RFC 9110 allows whole seconds and a date. */
function secondsIn(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}
