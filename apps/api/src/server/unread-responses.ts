import type { Server, ServerResponse } from 'node:http';

/** Time for which a caller may leave its response unread. */
export const UNREAD_RESPONSE_MS = 60_000;

/**
 * Closes the connection of a caller that reads nothing of its response for `afterMs`, twice that at most: a response, or
 * the rows behind it, would stay in memory for as long as the caller likes. Any byte sent restarts the time,
 * so slow readers get their whole response; and while a handler is still at work, nothing waits to be read.
 */
export function endUnreadResponses(server: Server, afterMs: number): void {
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    // The timer of the socket does not fire while its queue of written bytes shrinks.
    response.setTimeout(afterMs, () => {
      if (socket.writableLength > 0) socket.destroy();
    });
  });
}
