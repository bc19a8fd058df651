import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';

const TAG_BYTES = 16;

/**
 * Sends JSON with a tag of its content, or 304 when the page has it already: a poll without changes costs no bytes.
 * @param text the JSON as it is sent
 */
export function sendJson(request: Request, response: Response, text: string): void {
  response.setHeader('cache-control', 'no-store');
  if (request.method === 'GET' && response.statusCode === 200) {
    const digest = createHash('sha256').update(text).digest().subarray(0, TAG_BYTES);
    const tag = `"${digest.toString('base64url')}"`;
    response.setHeader('etag', tag);
    if (request.get('if-none-match') === tag) {
      response.status(304).end();
      return;
    }
  }
  response.type('application/json').send(text);
}
