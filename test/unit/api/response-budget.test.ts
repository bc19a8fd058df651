import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { ResponseBudget } from '../../../apps/api/src/http/response-budget.js';
import { beginRequest } from '../../../apps/api/src/http/request-state.js';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

const KIB = 1_024;

/** A response of an app that no one has read yet. */
function responseTo(owner: string | null): { response: Response; read: () => void } {
  const request = new IncomingMessage(new Socket());
  beginRequest(request, { requestId: 'r', traceId: 't' }).owner = owner;
  const response = new ServerResponse(request) as unknown as Response;
  return { response, read: () => void (response as unknown as EventEmitter).emit('close') };
}

describe('Memory for responses', () => {
  const newBudget = () =>
    new ResponseBudget({ maxResponses: 500 * KIB, maxResponsesPerApp: 200 * KIB });

  it('is that of each app until its callers have read them', () => {
    const budget = newBudget();
    const first = responseTo('sandbox/a');
    budget.hold(first.response, 150 * KIB);
    const refused = () => budget.hold(responseTo('sandbox/a').response, 100 * KIB);
    expect(refused).toThrow(expect.objectContaining({ code: 'api_error.unavailable' }));
    expect(() => budget.hold(responseTo('sandbox/b').response, 100 * KIB)).not.toThrow();
    first.read();
    expect(refused).not.toThrow();
  });

  it('is bounded for all apps together, but an app without a response in progress gets one of any size', () => {
    const budget = newBudget();
    for (const owner of ['a', 'b', 'c', 'd'])
      budget.hold(responseTo(owner).response, owner === 'a' ? 300 * KIB : 100 * KIB);
    expect(() => budget.hold(responseTo('b').response, 90 * KIB)).toThrow();
    expect(() => budget.hold(responseTo('e').response, 90 * KIB)).not.toThrow();
  });

  it('does not count responses of up to 64 KiB, nor those of no app', () => {
    const budget = newBudget();
    for (let call = 0; call < 100; call += 1) {
      budget.hold(responseTo('a').response, 64 * KIB);
      budget.hold(responseTo(null).response, 500 * KIB);
    }
    expect(() => budget.hold(responseTo('a').response, 200 * KIB)).not.toThrow();
  });
});
