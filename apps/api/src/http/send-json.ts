import type { Response } from 'express';

/** Answers 200 with JSON that was put together as text: exact decimals would not survive an object. */
export function sendJsonText(response: Response, fragments: readonly string[]): void {
  const body = Buffer.from(fragments.join(''), 'utf8');
  response.statusCode = 200;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', body.length);
  response.end(body);
}
