import { Registry } from 'prom-client';
import {
  reportFaults,
  SourceFaults,
  type UnreadableAnswer,
} from '../../../activities/source-faults.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import { malformed } from '../../../providers/http/remote-object.js';
import { Unreadable } from '../../../providers/http/read-scope.js';
import { createUnreadableMetrics } from '../../../apps/worker/src/metrics/provider-metrics.js';
import type { SourceFault } from '../../../domain/refresh/source-fault.js';
import { parseScrape } from '../../support/metrics/scrape.js';

const FETCH = { linkId: 'mk_1', operation: 'accounts' } as const;
const SOURCE = { name: 'my-bank', adapter: 'fdx' };

const faultOf = (
  scope: SourceFault['scope'],
  account: string,
  more: Partial<SourceFault> = {},
): SourceFault => ({
  scope,
  account,
  resource: 'account',
  field: 'currency',
  reason: 'missing',
  ...more,
});

function reported(faults: SourceFaults): UnreadableAnswer[] {
  const answers: UnreadableAnswer[] = [];
  reportFaults((answer) => answers.push(answer), SOURCE, FETCH, faults);
  return answers;
}

/** Two accounts without a currency, and a name. */
function threeFaults(): SourceFaults {
  const faults = new SourceFaults();
  faults.note(faultOf('account', 'canary-1', { accountName: 'canary' }));
  faults.note(faultOf('account', 'canary-2'));
  faults.note(faultOf('value', 'canary-2', { field: 'name', reason: 'too_long' }));
  return faults;
}

describe('The data that could not be read in one fetch', () => {
  it('is reported once for each place, with the number of occurrences, without accounts or names', () => {
    const [answer, ...others] = reported(threeFaults());
    expect(answer).toEqual({
      provider: 'my-bank',
      adapter: 'fdx',
      ...FETCH,
      faults: [
        { scope: 'account', resource: 'account', field: 'currency', reason: 'missing', count: 2 },
        { scope: 'value', resource: 'account', field: 'name', reason: 'too_long', count: 1 },
      ],
    });
    expect(others).toEqual([]);
    expect(JSON.stringify(answer)).not.toContain('canary');
  });

  it('counts a response of which nothing could be used, beside the parts that were read before, and no other failure', () => {
    const faults = threeFaults();
    faults.fail(new Unreadable('page', 'accounts', 'missing', 'a list'));
    expect(reported(faults)[0]?.faults.at(-1)).toEqual({
      scope: 'answer',
      resource: 'page',
      field: 'accounts',
      reason: 'missing',
      count: 1,
    });
    expect(faults.incomplete()).toHaveLength(2);
    const broken = new SourceFaults();
    broken.fail(malformed('it is not JSON'));
    expect(reported(broken)[0]?.faults).toEqual([
      { scope: 'answer', resource: 'answer', field: '', reason: 'wrong_type', count: 1 },
    ]);
    const down = new SourceFaults();
    down.fail(new ProviderFailure('institution_down', 'It is closed.'));
    down.fail(new Error('a fault of ours'));
    expect(reported(down)).toEqual([]);
  });

  it('is not reported if everything could be read', () => {
    expect(reported(new SourceFaults())).toEqual([]);
  });

  it('is counted by adapter, scope, resource, field and reason, in bounded series', async () => {
    const registry = new Registry();
    const observe = createUnreadableMetrics(registry);
    const [answer] = reported(threeFaults());
    if (answer === undefined) throw new Error('nothing was reported');
    observe(answer);
    for (let field = 0; field < 300; field += 1)
      observe({
        ...answer,
        faults: [
          { scope: 'value', resource: 'account', field: `f${field}`, reason: 'missing', count: 1 },
        ],
      });
    const { series } = parseScrape(await registry.metrics());
    expect(series.size).toBeLessThanOrEqual(102);
    expect(await registry.metrics()).toContain(
      'tributary_provider_unreadable_total{adapter="fdx",scope="account",resource="account",field="currency",reason="missing"} 2',
    );
  });
});
