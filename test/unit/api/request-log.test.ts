import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { beginRequest } from '../../../apps/api/src/http/request-state.js';
import { requestLog } from '../../../apps/api/src/operator/request-log.js';
import { RequestMetrics } from '../../../apps/api/src/operator/request-metrics.js';
import { createLogger } from '../../../apps/platform/src/logging/logger.js';

/** The level of the log line that a request leaves. */
function levelOf(route: string, statusCode: number): unknown {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({
    name: 'test',
    level: 'trace',
    format: 'json',
    destination: { write: (line: string) => lines.push(JSON.parse(line)) },
  });
  const request = { method: 'GET' } as Request;
  beginRequest(request, { requestId: '4a1f', traceId: '0af7' }).route = route;
  const response = Object.assign(new EventEmitter(), { statusCode, writableFinished: true });
  requestLog(logger, new RequestMetrics())(request, response as unknown as Response, () => {});
  response.emit('close');
  expect(lines).toEqual([expect.objectContaining({ msg: 'http.request', route })]);
  return lines[0]?.['level'];
}

it.each([
  ['/links', 200, 'info'],
  ['/links', 422, 'info'],
  ['/links', 503, 'error'],
  ['/health/ready', 200, 'debug'],
  ['/health/ready', 503, 'debug'],
])('A request GET %s with status %d is logged at the level %s', (route, status, level) => {
  expect(levelOf(route, status)).toBe(level);
});
