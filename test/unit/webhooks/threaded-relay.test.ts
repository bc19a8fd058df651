import { afterEach, describe, expect, it } from 'vitest';
import { ThreadedRelay } from '../../../apps/worker/src/webhooks/threaded-relay.js';
import type { EndpointNews } from '../../../apps/worker/src/webhooks/refusing-endpoints.js';

/** The relay itself runs in the worker process of every end-to-end test; here threads that answer with what they were told. */
const thread = (source: string) => new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort as port } from 'node:worker_threads'; ${source}`)}`);
const TELLS_WHAT_IT_HEARS = thread(`
  port.on('message', (message) => {
    port.postMessage({ kind: 'answered', news: message });
    if (message.kind === 'stop') port.close();
  });`);

describe('the thread of first attempts', () => {
  const heard: unknown[] = [];
  const relayIn = (entry: URL) => new ThreadedRelay({ entry, onAnswered: (news: EndpointNews) => heard.push(news) });
  afterEach(() => heard.splice(0));

  it('is woken, and ends when it is told to and has said everything', async () => {
    const relay = relayIn(TELLS_WHAT_IT_HEARS);
    relay.start();
    relay.wake();
    await relay.stop(1_500);
    expect(heard).toEqual([{ kind: 'wake' }, { kind: 'stop', graceMs: 1_500 }]);
  });

  it('is not missed where it never began', async () => {
    const relay = relayIn(TELLS_WHAT_IT_HEARS);
    relay.wake();
    await relay.stop(0);
    expect(heard).toEqual([]);
  });

  it.each([
    ['an error nobody caught', "throw new Error('broken')", 'broken'],
    ['a promise nobody waited for', "void Promise.reject(new Error('broken'))", 'broken'],
    ['an end nobody asked for', 'process.exit(0)', 'the thread of first attempts has ended'],
  ])('fails with %s, and is stopped all the same', async (_name, source, message) => {
    const relay = relayIn(thread(source));
    relay.start();
    await expect(relay.failed).rejects.toThrow(message);
    await relay.stop(0);
  });
});
