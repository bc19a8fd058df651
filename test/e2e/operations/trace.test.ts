import { INSTANT_BANK } from '../../support/actors/link-journey.js';
import { linkInstantBank } from '../../support/actors/link-instant-bank.js';
import { SandboxCaller } from '../../support/actors/sandbox-caller.js';
import { eventually } from '../../support/assertions/eventually.js';
import { service, app, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
import { ApiClient } from '../../support/services/api-client.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';

const PARENT = 'b7ad6b7169203331';
/** Three states, two products and the first transactions. */
const EVENTS_OF_LINK = 6;

interface Line {
  service: string;
  msg: string;
  trace_id?: string;
  request_id?: string;
  attempt?: number;
  outcome?: string;
}

serviceOfFile();

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.start({ verify: service.info.base_url });
});

afterAll(() => receiver?.stop());

const lines = (): Line[] =>
  service
    .logs()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);
const linesOf = (traceId: string) => lines().filter(({ trace_id: id }) => id === traceId);
const request = async (path: string, headers: Record<string, string>) =>
  new ApiClient(app.baseUrl, await app.accessToken()).send('POST', path, {
    json: { products: ['accounts', 'transactions'] },
    headers,
  });

describe('The trace id of a request', () => {
  it('is in the log lines of the request, of a failed activity, and of both attempts of the resulting webhook', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const linked = await linkInstantBank(app, { webhook: receiver.url() });
    await app.untilRefreshed(linked.linkId, 'transactions');
    await new SandboxCaller(app).fault(INSTANT_BANK, {
      operation: 'transactions',
      kind: 'server_error',
      count: null,
    });
    // The events of the link itself have arrived, so the next one belongs to the request.
    await receiver.until(EVENTS_OF_LINK);
    const refusedBefore = receiver.received.length;
    receiver.respondWith((_request, index) => ({ status: index === refusedBefore ? 500 : 204 }));
    const { status } = await request(`/links/${linked.linkId}/products`, {
      traceparent: `00-${traceId}-${PARENT}-01`,
    });
    expect(status).toBe(202);
    await eventually(
      () => {
        const found = linesOf(traceId).map(({ service: of, msg, attempt, outcome }) =>
          [of, msg, ...(attempt === undefined ? [] : [attempt, outcome])].join(' '),
        );
        expect(found).toEqual(
          expect.arrayContaining([
            'api http.request',
            'worker activity.failed',
            'webhooks webhook.attempted 1 pending',
            'worker webhook.attempted 2 delivered',
          ]),
        );
      },
      { within: 120_000 },
    );
  });

  it('is a new one where a request provides no valid one', async () => {
    const headers: Record<string, string>[] = [
      {},
      { traceparent: '00-00000000000000000000000000000000-b7ad6b7169203331-01' },
      { traceparent: `00-0AF7651916CD43DD8448EB211C80319C-${PARENT}-01` },
    ];
    const ids = headers.map((_, index) => `traced-${Date.now()}-${index}`);
    for (const [index, given] of headers.entries())
      await request('/links/mk_none/products', {
        ...given,
        'service-request-id': ids[index] ?? '',
      });
    const traceIds = await eventually(() => {
      const found = lines().filter(({ request_id: id = '' }) => ids.includes(id));
      expect(found).toHaveLength(headers.length);
      return found.map(({ trace_id: id }) => id);
    });
    for (const traceId of traceIds) expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(traceIds).size).toBe(headers.length);
    expect(traceIds).not.toContain('0'.repeat(32));
  });
});
