import type { IncomingHttpHeaders } from 'node:http';

export const MEDIA_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  /** Bytes of any type and encoding, which the handler reads itself. */
  raw: '*/*',
} as const;

/**
 * True when the body has the media type of the call, in UTF-8 and uncompressed. An empty body
 * without a type is left to the content check.
 */
export function isExpectedMediaType(
  headers: IncomingHttpHeaders,
  expected: keyof typeof MEDIA_TYPES,
): boolean {
  if (expected === 'raw') return true;
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity') return false;
  const given = headers['content-type'];
  if (given === undefined) return !hasBody(headers);
  const [type = '', ...parameters] = given.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  return (
    type === MEDIA_TYPES[expected] &&
    (charset === undefined || charset === 'utf-8' || charset === 'utf8')
  );
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
