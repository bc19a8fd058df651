import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { inTurns } from './in-turns.js';
import { ownedBy } from './request-state.js';
import type { StreamKind, StreamTurns } from './stream-turns.js';

export interface StreamOptions {
  turns: StreamTurns;
  kind: StreamKind;
}

/** Returns 200 with JSON that is generated while it is sent. */
export function streamJson(
  response: Response,
  fragments: AsyncGenerator<string>,
  options: StreamOptions,
): Promise<void> {
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return streamText(response, fragments, { ...options, headers });
}

/**
 * Returns 200 with text that is generated while it is sent, no faster than the caller reads, in a turn of its app
 * and in turns with other calls. A
 * failure before the first fragment is an ordinary error; after it the connection is closed, so
 * that truncated text is not mistaken for a complete response.
 */
export function streamText(
  response: Response,
  fragments: AsyncGenerator<string>,
  { turns, kind, headers }: StreamOptions & { headers: Readonly<Record<string, string>> },
): Promise<void> {
  return turns.during(kind, ownedBy(response.req), async ({ signal, follow }) => {
    const first = await fragments.next();
    response.statusCode = 200;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const text = follow(inTurns(rest(first.done === true ? '' : first.value, fragments)));
    try {
      await pipeline(Readable.from(text, { highWaterMark: 4 }), response, { signal });
    } catch (error) {
      // The caller disconnected, or its turn ended.
      const isEnd = signal.aborted || codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE';
      if (!isEnd) throw error;
    }
  });
}

async function* rest(first: string, fragments: AsyncGenerator<string>): AsyncGenerator<string> {
  // The socket requests later fragments; their statements belong to the owner of the request all the same.
  const inContext = AsyncLocalStorage.snapshot();
  try {
    yield first;
    for (;;) {
      const next = await inContext(() => fragments.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await fragments.return(undefined);
  }
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;
