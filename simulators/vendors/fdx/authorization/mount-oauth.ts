import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { targetOf } from '../../http/simulator-request.js';

export interface MountedOAuth {
  serve(incoming: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Carries out the next token requests and loses the responses, as when a connection breaks. */
  loseTokenResponses(times: number): void;
}

/** Serves `oidc-provider` below a path. @param base the path, without a slash at the end */
export function mountOAuth(server: Provider, base: string): MountedOAuth {
  let responsesToLose = 0;
  let tokenRequests: Promise<unknown> = Promise.resolve();
  const { host, protocol } = new URL(server.issuer);
  const handle = server.callback();

  /** The server names itself by its issuer, whatever the address of the request. */
  async function run(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const originalUrl = incoming.url ?? base;
    Object.assign(incoming.headers, {
      host,
      'x-forwarded-host': host,
      'x-forwarded-proto': protocol.slice(0, -1),
    });
    Object.assign(incoming, { originalUrl, url: originalUrl.slice(base.length) || '/' });
    await handle(incoming, response);
  }

  return {
    loseTokenResponses: (times) => void (responsesToLose = times),
    serve(incoming, response) {
      if (targetOf(incoming).pathname !== `${base}/token`) return run(incoming, response);
      if (responsesToLose > 0) {
        responsesToLose -= 1;
        response.end = () => response.destroy();
      }
      // One after another: of two concurrent refreshes, the second always finds the token used.
      const served = tokenRequests.then(() => run(incoming, response));
      tokenRequests = served.catch(() => undefined);
      return served;
    },
  };
}
