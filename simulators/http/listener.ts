import type { RequestListener } from 'node:http';
import { Refusal, send } from './reply.js';
import { SimulatorRequest } from './request.js';
import type { Handler } from './routes.js';

/** Listens to requests: a Refusal becomes its reply, every other error a 500. */
export function createListener(
  handle: Handler,
  onFailure: (error: unknown) => void,
): RequestListener {
  async function respond(request: SimulatorRequest): Promise<void> {
    try {
      const reply = await handle(request);
      if (reply !== null) send(request.response, reply);
    } catch (error) {
      if (request.response.headersSent) throw error;
      if (!(error instanceof Refusal)) onFailure(error);
      const failed = { status: 500, json: { error: 'The simulator failed.' } };
      send(request.response, error instanceof Refusal ? error.reply : failed);
    }
  }

  return (incoming, response) => {
    respond(new SimulatorRequest(incoming, response)).catch((error: unknown) => {
      onFailure(error);
      response.destroy();
    });
  };
}
