import type { Readable } from 'node:stream';

/** Source: webhooks 7, "Answer". */
const READ_AT_MOST = 16 * 1024;
const KEEP = 512;

/**
 * Reads at most 16 KiB, so that the connection can be used again, and keeps the first 512 bytes as text. A body that
 * breaks off or runs into the time-out of the attempt gives what came before.
 */
export async function readExcerpt(body: Readable): Promise<string | null> {
  const kept: Buffer[] = [];
  let total = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (total < KEEP) kept.push(chunk.subarray(0, KEEP - total));
      total += chunk.length;
      // Leaving the loop destroys the body, and with it the connection.
      if (total > READ_AT_MOST) break;
    }
  } catch {
    body.destroy();
  }
  // PostgreSQL stores no NUL in text.
  const text = Buffer.concat(kept).toString('utf8').replaceAll('\0', '\uFFFD');
  return text === '' ? null : text;
}
