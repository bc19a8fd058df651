import { sandbox, serviceOfFile } from '../../support/fixtures/sandbox-service.js';

jest.setTimeout(600_000);

serviceOfFile();

it('A link with four refreshes a day runs through 366 days, however often a refresh is requested', async () => {
  const { world_id: id } = await sandbox.world({ start: '2026-03-02T00:00:00', seed: 7 });
  await sandbox.link({ world_id: id, settings: { products: ['accounts', 'transactions'] } });
  const startedAt = Date.now();
  let response = await sandbox.advance(id, { to: '2027-03-03T00:00:00' });
  while (!response.settled) {
    expect(response.world.now < '2027-03-03T00:00:00').toBe(true);
    response = await sandbox.advance(id, { to: '2027-03-03T00:00:00' });
  }
  const { ran, world } = response;
  process.stderr.write(
    `366 days: ${ran.scheduled_refreshes} refreshes, ${ran.events} events in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s\n`,
  );
  expect(world.now).toBe('2027-03-03T00:00:00.000');
  expect(ran.scheduled_refreshes).toBeGreaterThan(1_400);
  expect(ran.settled_rows).toBeGreaterThan(230);
});
