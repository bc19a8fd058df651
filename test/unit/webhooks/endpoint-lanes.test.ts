import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  EndpointLanes,
  REST_MS,
  type ClaimedDelivery,
} from '../../../apps/webhooks/src/endpoint-lanes.js';

const A = 'https://a.example:443';
const B = 'https://b.example:443';

describe('what a process has claimed', () => {
  let now: number;
  let rooms: (string | undefined)[];
  let begun: string[];
  let attempts: Map<string, { answer: (accepted: boolean) => void; record: () => void }>;
  let lanes: EndpointLanes;

  beforeEach(() => {
    now = 1_000;
    rooms = [];
    begun = [];
    attempts = new Map();
    lanes = new EndpointLanes({
      make: ({ deliveryId }, answered) =>
        new Promise((resolve) => {
          begun.push(deliveryId);
          attempts.set(deliveryId, { answer: answered, record: resolve });
        }),
      onRoom: (endpoint) => rooms.push(endpoint),
      maxHeld: 6,
      maxHeldPerTenant: 100,
      now: () => now,
    });
  });

  const claimed = (deliveryId: string, endpoint: string, slots: number): ClaimedDelivery => ({
    pk: 1n,
    deliveryId,
    url: `${endpoint}/hooks`,
    endpoint,
    attempt: 1,
    firstAttemptAt: null,
    shiftMs: 0,
    eventId: 'evt_1',
    linkId: 'mk_1',
    webhookEvent: 'link.state_changed',
    idempotencyKey: 'key',
    appId: 'pocket-ledger',
    environment: 'sandbox',
    format: 'native',
    body: '{}',
    sealedBody: null,
    slots,
  });
  const answer = (deliveryId: string, accepted: boolean) =>
    attempts.get(deliveryId)?.answer(accepted);
  const record = async (deliveryId: string) => {
    attempts.get(deliveryId)?.record();
    await turn();
  };

  it('is made in its order, so many at a time as the claim allowed for each endpoint', () => {
    lanes.add([claimed('a1', A, 2), claimed('a2', A, 2), claimed('a3', A, 2), claimed('b1', B, 1)]);
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    answer('a2', true);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    expect(lanes.room).toBe(2);
  });

  it('lets the endpoints that hold something hold the same', async () => {
    expect(lanes.fairShare).toBe(6);
    lanes.add([claimed('a1', A, 2), claimed('a2', A, 2), claimed('b1', B, 1)]);
    expect(lanes.fairShare).toBe(3);
    answer('b1', true);
    await record('b1');
    expect(lanes.fairShare).toBe(6);
  });

  it('makes room when an endpoint, or all together, held as many as they may', async () => {
    lanes.add([claimed('a1', A, 2), claimed('b1', B, 8)]);
    answer('b1', true);
    await record('b1');
    expect(rooms).toEqual([]);
    lanes.add([claimed('a2', A, 2)]);
    await record('a1');
    expect(rooms).toEqual([A]);
    lanes.add([1, 2, 3, 4, 5].map((number) => claimed(`b${number}`, B, 8)));
    expect(lanes.room).toBe(0);
    await record('b5');
    expect([rooms, lanes.room]).toEqual([[A, undefined], 1]);
  });

  it('makes room again when half of what was held ahead is made', async () => {
    lanes.add([1, 2, 3, 4, 5].map((number) => claimed(`a${number}`, A, 1)));
    for (const number of [1, 2, 3]) {
      expect(rooms).toEqual([]);
      answer(`a${number}`, true);
      await record(`a${number}`);
    }
    expect(rooms).toEqual([A]);
  });

  it('is quick at an endpoint that accepts in time', () => {
    lanes.add([claimed('a1', A, 1), claimed('b1', B, 1)]);
    answer('a1', true);
    now += 251;
    answer('b1', true);
    expect([lanes.quick(), lanes.resting.endpoints]).toEqual([[A], []]);
  });

  it('leaves an endpoint alone for a moment that has refused', () => {
    lanes.add([claimed('a1', A, 1), claimed('b1', B, 1)]);
    answer('a1', false);
    answer('b1', true);
    expect([lanes.quick(), lanes.resting]).toEqual([
      [B],
      { endpoints: [A], endsInMs: REST_MS.least },
    ]);
    now += REST_MS.least;
    expect(lanes.resting.endpoints).toEqual([]);
  });

  it('leaves it alone twice as long each time it refuses again, up to a second, until it accepts', () => {
    const rests = [1, 2, 3, 4, 5, 6].map((round) => {
      // Two at a time are one failure.
      lanes.add([claimed(`a${round}`, A, 2), claimed(`b${round}`, A, 2)]);
      answer(`a${round}`, false);
      answer(`b${round}`, false);
      const { endsInMs } = lanes.resting;
      now += endsInMs;
      return endsInMs;
    });
    expect(rests).toEqual([100, 200, 400, 800, 1_000, 1_000]);
    lanes.add([claimed('a7', A, 2), claimed('a8', A, 2)]);
    answer('a7', true);
    answer('a8', false);
    expect(lanes.resting.endsInMs).toBe(REST_MS.least);
  });

  it('goes back when it has waited too long, or all of it that has not begun', () => {
    lanes.add([claimed('a1', A, 1), claimed('a2', A, 1)]);
    now += 999;
    expect(lanes.takeBack()).toEqual([]);
    now += 1;
    expect(lanes.takeBack().map(({ deliveryId }) => deliveryId)).toEqual(['a2']);
    lanes.add([claimed('a3', A, 1)]);
    expect(lanes.takeBack(true).map(({ deliveryId }) => deliveryId)).toEqual(['a3']);
    expect(lanes.room).toBe(5);
  });
});
