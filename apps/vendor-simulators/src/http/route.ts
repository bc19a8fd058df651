import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal, send, type Reply } from './reply.js';
import { SimulatorRequest, targetOf } from './simulator-request.js';

/** One address. `path` has parameters in braces: `/accounts/{uid}/details`. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  handle(request: SimulatorRequest): Reply | Promise<Reply>;
}

/** Answers a request wholly; what it throws becomes a 500. */
export type Listener = (
  incoming: IncomingMessage,
  response: ServerResponse,
) => void | Promise<void>;

/** Serves a table of routes; an unknown address is answered by `notFound`. */
export function serveRoutes(
  routes: readonly Route[],
  notFound: Reply = { status: 404, json: { error: 'There is nothing at this address.' } },
): Listener {
  const table = routes.map((route) => ({ route, pattern: patternOf(route.path) }));
  const answer = (incoming: IncomingMessage): Reply | Promise<Reply> => {
    const { pathname } = targetOf(incoming);
    const sameAddress = table.filter(({ pattern }) => pattern.test(pathname));
    const match = sameAddress.find(({ route }) => route.method === incoming.method);
    if (match === undefined) return sameAddress.length > 0 ? { status: 405, json: {} } : notFound;
    const groups = match.pattern.exec(pathname)?.groups ?? {};
    const params = Object.fromEntries(
      Object.entries(groups).map(([name, value]) => [name, decode(value)]),
    );
    return match.route.handle(new SimulatorRequest(incoming, params));
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

function patternOf(path: string): RegExp {
  const parts = path.split('/').map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name === undefined ? part.replace(/[.+?^$()|[\]\\]/g, '\\$&') : `(?<${name}>[^/]+)`;
  });
  return new RegExp(`^${parts.join('/')}$`);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal({ status: 400, json: { error: 'The address is not valid.' } });
  }
}
