/** Bytes of the address and the headers of a request, together. Source: native-api 1. */
export const MAX_HEAD_BYTES = 16 * 1024;
/** Beyond this, the parser ends the connection before anything of the request is known. */
export const MAX_PARSED_HEAD_BYTES = 2 * MAX_HEAD_BYTES;

/** Counted as Node's parser counts: without separators. */
export function headBytes({
  originalUrl,
  rawHeaders,
}: {
  originalUrl: string;
  rawHeaders: readonly string[];
}): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, originalUrl.length);
}
