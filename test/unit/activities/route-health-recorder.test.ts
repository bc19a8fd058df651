import { RouteHealthRecorder } from '../../../activities/route-health-recorder.js';
import type { ObservedCall } from '../../../activities/observed-providers.js';
import type { RouteCalls } from '../../../prisma/sources/routing/route-health.repository.js';

const call = (more: Partial<ObservedCall>): ObservedCall => ({
  provider: 'north',
  remoteId: 'first',
  operation: 'fetchAccounts',
  outcome: 'ok',
  seconds: 0.1,
  ...more,
});

describe('The calls of a route', () => {
  let stored: RouteCalls[][];
  let errors: unknown[];
  let add: (calls: readonly RouteCalls[]) => Promise<void>;
  const recorder = () =>
    new RouteHealthRecorder({
      routes: { add: (calls) => add(calls) },
      collectMs: 3_600_000,
      onError: (error) => errors.push(error),
    });

  beforeEach(() => {
    [stored, errors] = [[], []];
    add = async (calls) => {
      stored.push([...calls]);
    };
  });

  it('are counted by route and kind, and stored together', async () => {
    const calls = recorder();
    calls.note(call({}));
    calls.note(call({ operation: 'fetchTransactions', outcome: 'institution_down' }));
    calls.note(call({ operation: 'begin', outcome: 'invalid_credentials' }));
    await calls.flush();
    await calls.flush();
    const route = { provider: 'north', remoteId: 'first' };
    expect(stored).toEqual([
      [
        { ...route, operation: 'fetch', successes: 1, failures: 1, lastCause: 'institution_down' },
        { ...route, operation: 'login', successes: 1, failures: 0, lastCause: null },
      ],
    ]);
  });

  it.each<Partial<ObservedCall>>([
    { outcome: 'aborted' },
    { outcome: 'error' },
    { outcome: 'internal' },
    { outcome: 'rate_limited' },
    { operation: 'begin' },
    { operation: 'check', remoteId: null },
    { operation: 'revoke' },
  ])('do not include %j, which is not evidence', async (more) => {
    const calls = recorder();
    calls.note(call(more));
    await calls.flush();
    expect(stored).toEqual([]);
  });

  it('disturb no one when they cannot be stored', async () => {
    add = () => Promise.reject(new Error('no database'));
    const calls = recorder();
    calls.note(call({}));
    await calls.flush();
    expect(errors).toEqual([new Error('no database')]);
  });
});
