import type { IncomingMessage, ServerResponse } from 'node:http';
import { RouteTable } from '../../http/route-table.js';
import { Refusal, send, type Reply } from './reply.js';
import { SimulatorRequest, targetOf } from './simulator-request.js';

/** One address. `path` has parameters in braces: `/accounts/{uid}/details`. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  handle(request: SimulatorRequest): Reply | Promise<Reply>;
}

/** Responds to a request; an error becomes a 500. */
export type Listener = (
  incoming: IncomingMessage,
  response: ServerResponse,
) => void | Promise<void>;

/** Serves a table of routes; `notFound` responds to an unknown address. */
export function serveRoutes(
  routes: readonly Route[],
  notFound: Reply = { status: 404, json: { error: 'There is nothing at this address.' } },
): Listener {
  const table = new RouteTable(routes);
  const answer = (incoming: IncomingMessage): Reply | Promise<Reply> => {
    const found = table.find(incoming.method ?? '', targetOf(incoming).pathname);
    if ('handle' in found) return found.handle(new SimulatorRequest(incoming, found.params));
    return found.allowed.length > 0 ? { status: 405, json: {} } : notFound;
  };
  return async (incoming, response) => {
    try {
      send(response, await answer(incoming));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      send(response, error.reply);
    }
  };
}
