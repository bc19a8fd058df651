import { openRelayStage, receiver, service, start } from './support/relay-stage.js';

describe('The relay of first attempts', () => {
  openRelayStage();

  it('claims no more deliveries of an endpoint than it has slots, and does not affect the others', async () => {
    const [here, there] = [
      await service.addLink('https://here.example/hooks'),
      await service.addLink('https://there.example/hooks'),
    ];
    const made: string[] = [];
    for (let index = 0; index < 6; index += 1) {
      made.push((await service.record(here)).deliveryId);
      if (index < 2) made.push((await service.record(there)).deliveryId);
    }
    const { claims } = service.parts;
    const slots = { limit: 100, perEndpoint: 4, leaseMs: 60_000 };
    const first = await claims.claimFirstAttempts(slots);
    // In the order of the events, over all endpoints.
    expect({
      due: first.due.map(({ deliveryId }) => deliveryId),
      lastEndpoint: first.lastEndpoint,
    }).toEqual({ due: made.slice(0, 6), lastEndpoint: null });
    expect((await claims.claimFirstAttempts(slots)).due).toEqual([]);
  });

  it('claims nothing more of an endpoint while too many of its failures wait for a retry workflow', async () => {
    const [failing, healthy] = [
      await service.addLink('https://failing.example/hooks'),
      await service.addLink('https://healthy.example/hooks'),
    ];
    for (let index = 0; index < 5; index += 1) await service.record(failing);
    await service.ctx.database.prisma.webhookDelivery.updateMany({ data: { attempts: 1 } });
    await service.record(failing);
    const other = await service.record(healthy);
    const { claims, starts } = service.parts;
    const claim = { limit: 100, perEndpoint: 8, leaseMs: 60_000, maxWaitingRetries: 4 };
    expect((await claims.claimFirstAttempts(claim)).due.map(({ pk }) => pk)).toEqual([other.pk]);
    await starts.start({ limit: 1, perEndpoint: 1 });
    expect((await claims.claimFirstAttempts(claim)).due.map(({ endpoint }) => endpoint)).toEqual([
      'https://failing.example:443',
    ]);
  });

  it('makes at most 8 attempts at a time at one endpoint, retries included', async () => {
    receiver.respondWith('hang');
    const link = await service.addLink(receiver.url('/one'));
    const twin = await service.addLink(receiver.url('/two'));
    for (let index = 0; index < 10; index += 1) {
      await service.record(link);
      await service.record(twin);
    }
    start();
    await receiver.until(8);
    const extra = await service.record(link);
    expect(await service.attempt(extra)).toMatchObject({ failure: 'NoSlot' });
    expect({
      attempts: (await service.delivery(extra)).attempts,
      isLeased: await service.isLeased(extra),
    }).toEqual({ attempts: 0, isLeased: false });
    // The next eight start when the first have ended.
    receiver.releaseHeld();
    await receiver.until(16);
    expect(receiver.maxOpen).toBe(8);
  });

  it('lets a retry without a free slot return in one to five seconds', async () => {
    receiver.respondWith('hang');
    const link = await service.addLink(receiver.url());
    for (let index = 0; index < 9; index += 1) await service.record(link);
    start();
    await receiver.until(8);
    const extra = await service.record(link);
    const { retryInMs } = (await service.attempt(extra)) as { retryInMs: number };
    expect(retryInMs).toBeGreaterThanOrEqual(1_000);
    expect(retryInMs).toBeLessThanOrEqual(5_000);
  });

  it('never assigns more than 8 slots of an endpoint, even in several processes', async () => {
    const link = await service.addLink(receiver.url());
    const first = await service.record(link);
    for (let index = 0; index < 40; index += 1) await service.record(link);
    const { claims } = service.parts;
    const slots = { perEndpoint: 8, leaseMs: 60_000 };
    const [retry, ...many] = await Promise.all([
      claims.claimAttempt(first.deliveryId, slots),
      ...Array.from({ length: 6 }, () => claims.claimFirstAttempts({ limit: 5, ...slots })),
    ]);
    const pks = many.flatMap(({ due }) => due.map(({ pk }) => pk));
    if (retry.kind === 'due') pks.push(retry.delivery.pk);
    expect({ pks: pks.length, distinctPks: new Set(pks).size }).toEqual({ pks: 8, distinctPks: 8 });
  });
});
