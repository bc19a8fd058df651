import { randomUUID } from 'node:crypto';
import type { ProviderCause } from '../../../domain/errors/provider-failure.js';
import { IMPATIENT, PATIENT, type SuiteLimits } from '../limits.js';
import { startMisbehavingServer, type Misbehavior } from '../misbehaving-server.js';
import { lastDays, neverAborted, type PromiseCalls } from './promise-calls.js';
import { soonerThan } from '../../support/assertions/sooner-than.js';

/** Counterparts that only a time limit ends. */
const NEVER_FINISH: readonly Misbehavior[] = ['silent', 'dripping'];

/** Every call ends, at a counterpart that refuses, breaks, is silent or never ends. */
export function describeFaults(calls: PromiseCalls): void {
  describe('faults', () => {
    /** Every call that reaches the source, made to the counterpart at an address. */
    async function operations(
      url: string,
      {
        signal = neverAborted,
        limits = PATIENT,
      }: { signal?: AbortSignal; limits?: SuiteLimits } = {},
    ): Promise<Record<string, () => Promise<unknown>>> {
      const provider = calls.target().at(url, limits);
      const linked = (await calls.link()).access;
      const credential = calls.target().credentialAt?.(linked.credential, url) ?? linked.credential;
      const access = { ...linked, credential, signal };
      const window = lastDays(30);
      const { fetchAccountNumbers, fetchIdentity, fetchPermissionEnd, revoke } = provider;
      const { fetchHoldings, fetchInvestmentTransactions, fetchLiabilities } = provider;
      const inProgress = await calls.login.callsInProgress(
        calls.target().provider,
        calls.context(),
      );
      return {
        ...Object.fromEntries(
          Object.entries(inProgress).map(([operation, run]) => [
            operation,
            () => run(provider, calls.context(randomUUID(), signal)),
          ]),
        ),
        fetchAccounts: () => provider.fetchAccounts(access),
        fetchTransactions: () => calls.readWindow(provider, access, window),
        ...(fetchAccountNumbers === undefined
          ? {}
          : { fetchAccountNumbers: () => fetchAccountNumbers(access) }),
        ...(fetchIdentity === undefined ? {} : { fetchIdentity: () => fetchIdentity(access) }),
        ...(fetchHoldings === undefined ? {} : { fetchHoldings: () => fetchHoldings(access) }),
        ...(fetchInvestmentTransactions === undefined
          ? {}
          : {
              fetchInvestmentTransactions: () => fetchInvestmentTransactions(access, window),
            }),
        ...(fetchLiabilities === undefined
          ? {}
          : { fetchLiabilities: () => fetchLiabilities(access) }),
        ...(fetchPermissionEnd === undefined
          ? {}
          : { fetchPermissionEnd: () => fetchPermissionEnd(access) }),
        ...(revoke === undefined || calls.login.cannotRevoke === true
          ? {}
          : { revoke: () => revoke(access) }),
      };
    }

    async function expectEveryOperation(misbehavior: Misbehavior, cause: ProviderCause) {
      const { causes, causeAt } = calls.target();
      const server = await startMisbehavingServer(misbehavior);
      try {
        const limits = NEVER_FINISH.includes(misbehavior) ? IMPATIENT : PATIENT;
        const running = Object.entries(await operations(server.url, { limits })).map(
          async ([operation, run]) => {
            const failure: unknown = await run().then(
              () => 'no failure',
              (error: unknown) => error,
            );
            const expected = causeAt?.(operation, misbehavior) ?? causes?.[misbehavior] ?? cause;
            expect({ operation, failure }).toMatchObject({
              operation,
              failure:
                expected === 'no failure'
                  ? expected
                  : { name: 'ProviderFailure', providerCause: expected },
            });
          },
        );
        await Promise.all(running);
      } finally {
        await server.close();
      }
    }

    it('reports that the other side is down when the connection is refused', () =>
      expectEveryOperation('refuse', 'institution_down'));
    it('reports that the other side is down when the connection breaks', () =>
      expectEveryOperation('reset', 'institution_down'));
    it('reports that the other side is down for a server error', () =>
      expectEveryOperation('status 500', 'institution_down'));
    it('reports a page where data was expected as malformed, or as a failure of a shield in front of the source', () =>
      expectEveryOperation('html', 'malformed'));
    it('reports malformed for JSON of another shape', () =>
      expectEveryOperation('other json', 'malformed'));
    it('reports malformed for a response that is not HTTP', () =>
      expectEveryOperation('not http', 'malformed'));
    it('reports institution_timeout when no response arrives', () =>
      expectEveryOperation('silent', 'institution_timeout'));
    it('reports institution_timeout when a response never ends', () =>
      expectEveryOperation('dripping', 'institution_timeout'));
    it('reports rate_limited and the time to wait', async () => {
      await expectEveryOperation('status 429', 'rate_limited');
      const server = await startMisbehavingServer('status 429');
      const refused = (await operations(server.url))['fetchAccounts']?.();
      await expect(refused).rejects.toMatchObject({ retryAfterSeconds: 7 });
      await server.close();
    });

    it('stops reading a response that does not end', async () => {
      const server = await startMisbehavingServer('endless');
      const made = await operations(server.url);
      const fetches = Object.keys(made).filter((name) => name.startsWith('fetch'));
      for (const name of fetches)
        await expect(made[name]?.()).rejects.toMatchObject({
          name: 'ProviderFailure',
          providerCause: 'malformed',
        });
      expect(server.bytesSent()).toBeLessThan(fetches.length * 16 * 1024 * 1024);
      await server.close();
    });

    it('ends promptly, with the reason of the signal, when it is aborted', async () => {
      const server = await startMisbehavingServer('silent');
      for (const operation of Object.keys(await operations(server.url))) {
        const controller = new AbortController();
        const reason = new Error('no longer wanted');
        const run = (await operations(server.url, { signal: controller.signal }))[operation];
        if (run === undefined) throw new Error(`${operation} is gone`);
        const arrived = server.nextRequest();
        const ended = run().then(
          () => 'no failure',
          (error: unknown) => error,
        );
        await arrived;
        controller.abort(reason);
        expect(await soonerThan(PATIENT.silenceTimeoutMs, ended)).toBe(reason);
        await expect(run()).rejects.toBe(reason);
      }
      await server.close();
    });
  });
}
