import { afterEach, describe, expect, it } from 'vitest';
import { ThreadedRelay } from '../../../apps/webhooks/src/threaded-relay.js';
import { BOTH_HALVES, type EndpointHalf } from '../../../prisma/events/webhook-slots.js';
import type { EndpointNews } from '../../../apps/webhooks/src/refusing-endpoints.js';

/** The relay itself runs in the worker process of every end-to-end test; here threads that answer with what they were told. */
const thread = (source: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort as port, workerData } from 'node:worker_threads'; ${source}`)}`,
  );
const TELLS_WHAT_IT_HEARS = thread(`
  port.on('message', (message) => {
    port.postMessage({ kind: 'answered', news: { ...message, ...workerData } });
    port.close();
  });`);

describe('the threads of first attempts', () => {
  const heard: unknown[] = [];
  const relayIn = (entry: URL, threads: readonly (readonly EndpointHalf[])[] = [BOTH_HALVES]) =>
    new ThreadedRelay({ entry, threads, onAnswered: (news: EndpointNews) => heard.push(news) });
  afterEach(() => heard.splice(0));

  it('have endpoints each, and end when they are told to and have said everything', async () => {
    const relay = relayIn(TELLS_WHAT_IT_HEARS, [[0], [1]]);
    relay.start();
    await relay.stop(1_500);
    expect(heard).toHaveLength(2);
    expect(heard).toEqual(
      expect.arrayContaining([
        { graceMs: 1_500, halves: [0] },
        { graceMs: 1_500, halves: [1] },
      ]),
    );
  });

  it('are not missed where they never began', async () => {
    const relay = relayIn(TELLS_WHAT_IT_HEARS);
    await relay.stop(0);
    expect(heard).toEqual([]);
  });

  it.each([
    ['an error nobody caught', "throw new Error('broken')", 'broken'],
    ['a promise nobody waited for', "void Promise.reject(new Error('broken'))", 'broken'],
    ['an end nobody asked for', 'process.exit(0)', 'a thread of first attempts has ended'],
  ])(
    'fail with %s in one of them, and are stopped all the same',
    async (_name, source, message) => {
      const relay = relayIn(
        thread(
          `if (workerData.halves[0] === 1) { ${source} } else { port.on('message', () => port.close()); }`,
        ),
        [[0], [1]],
      );
      relay.start();
      await expect(relay.failed).rejects.toThrow(message);
      await relay.stop(0);
    },
  );
});
