import {
  AuthenticationError,
  ServiceConnectionError,
  NotFoundError,
  type CreateWebhookListenerRequest,
  type ListenedDelivery,
} from '@tributary/node';
import {
  DeliveryStream,
  type StreamOptions,
} from '../../../clients/cli/src/listening/delivery-stream.js';

const details = { code: 'x', message: 'x', requestId: undefined, documentationUrl: undefined };
const rest = { retryAfter: undefined, issues: [], linkErrorCode: undefined };
const ended = () => new NotFoundError({ status: 404, ...details, ...rest });
const refused = () => new AuthenticationError({ status: 401, ...details, ...rest });
const lost = () => new ServiceConnectionError('no response', 'connection_failed');

function delivery(number: number): ListenedDelivery {
  return {
    delivery_token: `whd_${number}`,
    event_id: `evt_${number}`,
    webhook_event: 'link.state_changed',
    link_id: 'mk_1',
    created_at: `2026-03-02T10:15:0${number}.000`,
    attempt: 1,
    headers: {},
    body: '{}',
    cursor: `at-${number}`,
  };
}

type Answer = number[] | Error;

/** A service that answers each poll with the next of these. */
function service(...answers: Answer[]) {
  const filters: CreateWebhookListenerRequest[] = [];
  const polled: (string | undefined)[] = [];
  const stop = new AbortController();
  const notes: string[] = [];
  const calls: ConstructorParameters<typeof DeliveryStream>[0] = {
    createListener: (filter = {}) => {
      filters.push(filter);
      return Promise.resolve({
        listener_id: `lsn_${filters.length}`,
        webhook_events: [],
        link_id: null,
        since: null,
        created_at: '2026-03-02T10:15:00.000',
        ends_at: '2026-03-02T10:16:00.000',
      });
    },
    listListenerDeliveries: (id, { after } = {}) => {
      polled.push(`${id} ${after}`);
      const answer = answers.shift();
      if (answer === undefined) stop.abort();
      if (answer instanceof Error) return Promise.reject(answer);
      const deliveries = (answer ?? []).map(delivery);
      const next = deliveries.at(-1)?.cursor ?? after ?? '';
      return Promise.resolve({ deliveries, cursor: { next }, has_more: false });
    },
    reportListenerDelivery: () => Promise.reject(lost()),
  };
  const options: StreamOptions = {
    filter: {},
    stop: stop.signal,
    onLost: () => notes.push('lost'),
    onFound: () => notes.push('found'),
  };
  return { stream: new DeliveryStream(calls, options), filters, polled, notes };
}

async function received(stream: DeliveryStream): Promise<string[]> {
  await stream.start();
  const ids: string[] = [];
  for await (const { event_id: id } of stream.deliveries()) ids.push(id);
  return ids;
}

describe('A stream of deliveries', () => {
  it('continues behind the last one after lost connections, and reports their loss once', async () => {
    const { stream, polled, notes } = service([1, 2], lost(), lost(), [3]);
    expect(await received(stream)).toEqual(['evt_1', 'evt_2', 'evt_3']);
    expect(polled).toEqual(['lsn_1 ', 'lsn_1 at-2', 'lsn_1 at-2', 'lsn_1 at-2', 'lsn_1 at-3']);
    expect(notes).toEqual(['lost', 'found']);
  });

  it('follows a listener that ended with one from a minute before, and repeats nothing', async () => {
    const { stream, filters } = service([1, 2], ended(), [1, 2, 3]);
    expect(await received(stream)).toEqual(['evt_1', 'evt_2', 'evt_3']);
    expect(filters).toEqual([{}, { since: '2026-03-02T10:14:02.000Z' }]);
  });

  it('ends with the refusal of a key pair', async () => {
    const { stream } = service([1], refused());
    await expect(received(stream)).rejects.toBeInstanceOf(AuthenticationError);
  });

  it('goes on when a response cannot be reported', async () => {
    const { stream } = service();
    await stream.start();
    const outcome = { http_status: 200, error: null, duration_ms: 1, response_excerpt: null };
    await expect(stream.report(delivery(1), outcome)).resolves.toBeUndefined();
  });
});
