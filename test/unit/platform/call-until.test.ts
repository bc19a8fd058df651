import { getEventListeners } from 'node:events';
import type { Client } from '@temporalio/client';
import { callUntil } from '../../../apps/platform/src/temporal/call-until.js';

/** Like the SDK: adds a listener for each call, which stays. */
function client() {
  const given: AbortSignal[] = [];
  const withAbortSignal = (signal: AbortSignal, work: () => Promise<unknown>) => {
    given.push(signal);
    signal.addEventListener('abort', () => undefined);
    return work();
  };
  return { given, client: { withAbortSignal } as unknown as Client };
}

describe('callUntil', () => {
  it.each(['one', 'other'] as const)('cancels the calls when %s signal fires', async (which) => {
    const signals = { one: new AbortController(), other: new AbortController() };
    const { client: temporal, given } = client();
    const work = callUntil(temporal, [signals.one.signal, signals.other.signal], async () => {
      signals[which].abort();
      return given.map(({ aborted }) => aborted);
    });
    expect(await work).toEqual([true]);
  });

  it('cancels them at once when a signal has already fired', async () => {
    const { client: temporal, given } = client();
    await callUntil(temporal, [AbortSignal.abort()], () => Promise.resolve());
    expect(given.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it.each([
    ['succeeded', () => Promise.resolve(7)],
    ['failed', () => Promise.reject(new Error('unavailable'))],
  ])('leaves no listeners on the signals after calls that %s', async (_, work) => {
    const { signal } = new AbortController();
    const { client: temporal } = client();
    for (let times = 0; times < 3; times += 1)
      await callUntil<number>(temporal, [signal], work).catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
