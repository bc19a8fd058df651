import type { Response } from 'express';
import { undoAll } from './api-versions.js';
import { stateOf } from './request-state.js';

/** Returns 200 with JSON assembled as text, because exact decimals would not survive parsing. */
export function sendJsonText(response: Response, fragments: readonly string[]): void {
  const { laterChanges } = stateOf(response.req);
  const text = fragments.join('');
  const body = Buffer.from(
    laterChanges.length === 0 ? text : JSON.stringify(undoAll(laterChanges, JSON.parse(text))),
    'utf8',
  );
  stateOf(response.req).holdResponse(response, body.length);
  response.statusCode = 200;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', body.length);
  response.end(body);
}
