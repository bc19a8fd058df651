import type { Handler } from '../../../http/routes.js';

export interface TokenEndpoint {
  serve: Handler;
  /** Carries out the next token requests and loses the responses, as when a connection breaks. */
  loseResponses(times: number): void;
}

/** Serves token requests one after another: of two concurrent refreshes, the second always finds the token used. */
export function createTokenEndpoint(serve: Handler): TokenEndpoint {
  let responsesToLose = 0;
  let requests: Promise<unknown> = Promise.resolve();
  return {
    loseResponses: (times) => void (responsesToLose = times),
    serve(request) {
      const { response } = request;
      if (responsesToLose > 0) {
        responsesToLose -= 1;
        response.end = () => response.destroy();
      }
      const served = requests.then(() => serve(request));
      requests = served.catch(() => undefined);
      return served;
    },
  };
}
