import { NewEvents } from '../../../apps/api/src/webhook-listeners/new-events.js';
import type { Tenant } from '../../../domain/api/environment.js';
import { apiOfFile, service } from '../../support/services/api-of-file.js';
import { newLink, record } from './support/event-log-stage.js';

apiOfFile();

const tenant = (appId: string): Tenant => ({ appId, environment: 'sandbox' });

describe('A call that waits for events', () => {
  it('wakes for an event of its app, and for none of another', async () => {
    const news = new NewEvents(service.ctx);
    const end = new AbortController();
    const woken: string[] = [];
    const wait = async (appId: string) => {
      await news.beyond(tenant(appId), 0n, end.signal);
      woken.push(end.signal.aborted ? `${appId} at the end` : appId);
    };
    const waiting = [wait('rival'), wait('pocket-ledger'), wait('pocket-ledger')];
    await record(await newLink());
    await Promise.all(waiting.slice(1));
    expect(woken).toEqual(['pocket-ledger', 'pocket-ledger']);
    end.abort();
    await waiting[0];
    expect(woken[2]).toBe('rival at the end');
  });
});
