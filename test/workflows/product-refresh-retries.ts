import { translateFailures } from '../../activities/failures.js';
import { eventually } from '../support/assertions/eventually.js';
import { stored } from './support/fake-refresh.js';
import { historyText } from '../support/services/test-temporal.js';

import { failing, type RefreshStage } from './support/refresh-stage.js';

/** The tests of retries of productRefresh, which run on the workers of its other tests. */
export function testRetries({ newLink, request, resultOf, record }: RefreshStage): void {
  it('assigns every attempt a key of its own', async () => {
    const link = newLink('accounts');
    link.bank.accounts = [failing('institution_down'), failing('institution_down'), stored];
    await resultOf(await request(link, { fetchRetryForSandboxMs: 30_000 }));
    expect(link.triesSeen).toEqual(['1.1', '1.2', '1.3']);
  });

  it('retries with exponential back-off, and lets one product fail alone', async () => {
    const link = newLink('accounts', 'transactions');
    link.bank.accounts = [failing('institution_down'), failing('institution_timeout'), stored];
    link.bank.transactions = [failing('no_permission')];
    const handle = await request(link, { fetchRetryForSandboxMs: 30_000 });
    expect(await resultOf(handle)).toEqual({ runs: 1 });
    expect(link.calls.filter((call) => call.endsWith('accounts'))).toEqual([
      'fetch accounts',
      'retry accounts',
      'fetch accounts',
      'retry accounts',
      'fetch accounts',
    ]);
    expect(link.calls).toContain('fail transactions no_permission');
    expect(link.calls.at(-1)).toBe('finish with success');
    expect(await historyText(handle)).not.toContain('canary-remote-text');
    await record(handle, 'retries');
  });

  it('stops retrying at the deadline, in Sandbox sooner than in Live', async () => {
    const link = newLink('accounts');
    link.bank.accounts = [failing('institution_down')];
    const handle = await request(link, { fetchRetryForSandboxMs: 10_000 });
    await resultOf(handle);
    expect(link.calls.filter((call) => call === 'fetch accounts').length).toBeGreaterThanOrEqual(2);
    expect(link.calls.slice(-2)).toEqual([
      'fail accounts institution_down',
      'finish without success',
    ]);

    const live = newLink('accounts');
    live.environment = 'live';
    live.bank.accounts = [failing('institution_down')];
    await resultOf(await request(live, { fetchRetryForMs: 0 }));
    expect(live.calls.filter((call) => call === 'fetch accounts')).toHaveLength(1);
  });

  it('does not count an attempt that the service lost against the deadline of Sandbox', async () => {
    const ours = translateFailures(
      { fetch: async () => Promise.reject(new Error('canary-remote-text')) },
      { report: () => undefined, isTemporary: () => true },
    );
    const link = newLink('accounts', 'transactions');
    link.bank.accounts = [ours.fetch, stored];
    link.bank.transactions = [failing('institution_down')];
    const handle = await request(link, { fetchRetryForSandboxMs: 0 });
    await resultOf(handle);
    expect(link.calls.filter((call) => call.endsWith('accounts'))).toEqual([
      'fetch accounts',
      'retry accounts',
      'fetch accounts',
    ]);
    expect(
      link.calls.filter((call) => call.endsWith('transactions') || call.startsWith('fail')),
    ).toEqual(['fetch transactions', 'fail transactions institution_down']);
    expect(link.calls.at(-1)).toBe('finish with success');
  });

  it('does not retry before the time that the provider set', async () => {
    const link = newLink('accounts');
    link.bank.accounts = [failing('rate_limited', 60)];
    await resultOf(await request(link));
    expect(link.calls).toEqual([
      'beginRun',
      'fetch accounts',
      'fail accounts rate_limited',
      'finish without success',
    ]);
  });

  it('ends the wait for a retry when a refresh is requested', async () => {
    const link = newLink('accounts');
    link.bank.accounts = [failing('institution_down'), stored];
    const handle = await request(link, { firstRetryMs: 600_000, fetchRetryForSandboxMs: 900_000 });
    await eventually(() => {
      expect(link.calls).toContain('fetch accounts');
    });
    // The product may still be about to start its wait, so the request is repeated, as a person
    // would do.
    await eventually(
      async () => {
        if (link.calls.includes('retry accounts')) return;
        link.requests.push('accounts');
        await request(link);
        throw new Error('not expedited yet');
      },
      { every: 500 },
    );
    await resultOf(handle);
    expect(link.calls).toContain('finish with success');
    await record(handle, 'hurried');
  });

  it('waits as long as the provider requested, whatever is requested in the meantime', async () => {
    const link = newLink('accounts');
    link.bank.accounts = [failing('rate_limited', 10), stored];
    const requestedAt = Date.now();
    const handle = await request(link, { fetchRetryForSandboxMs: 60_000 });
    await eventually(() => {
      expect(link.calls).toContain('fetch accounts');
    });
    link.requests.push('accounts');
    await request(link);
    await eventually(() => {
      expect(link.calls).toContain('joinRun');
    });
    await resultOf(handle);
    expect(Date.now() - requestedAt).toBeGreaterThanOrEqual(10_000);
    expect(link.calls.filter((call) => call === 'fetch accounts')).toHaveLength(2);
  });
}
