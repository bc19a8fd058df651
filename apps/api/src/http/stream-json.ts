import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** Returns 200 with JSON that is generated while it is sent. */
export function streamJson(response: Response, fragments: AsyncGenerator<string>): Promise<void> {
  return streamText(response, fragments, { 'Content-Type': 'application/json; charset=utf-8' });
}

/**
 * Returns 200 with text that is generated while it is sent, no faster than the caller reads. A
 * failure before the first fragment is an ordinary error; after it the connection is closed, so
 * that truncated text is not mistaken for a complete response.
 */
export async function streamText(
  response: Response,
  fragments: AsyncGenerator<string>,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const first = await fragments.next();
  response.statusCode = 200;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  try {
    await pipeline(
      Readable.from(rest(first.done === true ? '' : first.value, fragments), { highWaterMark: 4 }),
      response,
    );
  } catch (error) {
    // The caller disconnected.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

async function* rest(first: string, fragments: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first;
  yield* fragments;
}
