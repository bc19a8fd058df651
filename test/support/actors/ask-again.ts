import { setTimeout as sleep } from 'node:timers/promises';

interface Given {
  status: number;
  headers: Headers;
}

/** As often as the Connect app asks (apps/connect/src/session/send.ts). */
const TRIES = 4;

/**
 * Repeats a call that is answered "not now" (503), as every client is asked to: same body, same request_id, after the
 * time the service names. On a busy computer that is a legitimate answer; a service that stays away is one all the same.
 */
export async function askAgain<T extends Given>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const answer = await attempt();
    if (answer.status !== 503 || tries >= TRIES) return answer;
    await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1_000);
  }
}
