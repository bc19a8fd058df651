import { setTimeout as sleep } from 'node:timers/promises';

interface Given {
  status: number;
  headers: Headers;
}

/** The number of attempts that the Connect app makes (apps/connect/src/session/send.ts). */
const TRIES = 4;

/**
 * Repeats a call that returns 503, as every client should: same body, same request_id, after the
 * time that the service names. On a busy computer a 503 is a legitimate response. A service that
 * stays unavailable fails the test.
 */
export async function retryUnavailable<T extends Given>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const response = await attempt();
    if (response.status !== 503 || tries >= TRIES) return response;
    await sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000);
  }
}
