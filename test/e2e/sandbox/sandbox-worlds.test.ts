import { representatives } from '../../support/runner/representatives.js';
import { errorOf } from '../../support/services/api-client.js';
import type { TransactionsPage } from '../../support/actors/response-bodies.js';
import { app, sandbox, serviceOfFile, truth } from '../../support/fixtures/sandbox-service.js';

const CREDENTIALS = 'sandbox-credentials-bank';
const START = '2026-03-02T00:00:00.000';
const YEAR = 'P366D';

serviceOfFile();

const newWorld = (fields: Record<string, unknown> = {}) =>
  sandbox.world({ name: 'march', start: START, seed: 7, ...fields });
const linkIn = async (worldId: string, fields: Record<string, unknown> = {}) =>
  (await sandbox.link({ world_id: worldId, customer_user: { id: 'user-1' }, ...fields })).link_id;
const rowsOf = (linkId: string, query = 'size=1000') =>
  app.get<TransactionsPage>(`/links/${linkId}/transactions?${query}`);

describe('The sandbox worlds', () => {
  it('are created, read, listed after the default one, and return 404 when unknown', async () => {
    const world = await newWorld();
    expect(world).toEqual({
      world_id: expect.stringMatching(/^wld_\w{22}$/),
      name: 'march',
      now: START,
      seed: 7,
      enforce_refresh_limits: false,
      created_at: expect.any(String),
    });
    expect(await sandbox.ask('GET', `/sandbox/worlds/${world.world_id}`)).toEqual(world);
    const { worlds } = await sandbox.ask<{ worlds: { world_id: string }[] }>(
      'GET',
      '/sandbox/worlds',
    );
    expect({
      firstWorld: worlds[0]?.world_id,
      isListed: worlds.some(({ world_id: id }) => id === world.world_id),
    }).toEqual({ firstWorld: 'default', isListed: true });
    expect((await newWorld({ seed: undefined, start: undefined })).seed).not.toBe(7);
  });

  it.each<[string, string, unknown, number, string[]]>([
    ['POST', '/sandbox/worlds', { name: 'x'.repeat(65) }, 422, ['body.name']],
    ['POST', '/sandbox/worlds', { seed: 1.5 }, 422, ['body.seed']],
    ['POST', '/sandbox/worlds', { start: 'soon' }, 422, ['body.start']],
    ['GET', '/sandbox/worlds/wld_none', undefined, 404, []],
    ['DELETE', '/sandbox/worlds/wld_none', undefined, 404, []],
    ['DELETE', '/sandbox/worlds/default', undefined, 422, ['path.world_id']],
    ['POST', '/sandbox/worlds/wld_none/advance', { by: 'PT1H' }, 404, []],
    ['POST', '/sandbox/worlds/default/advance', { by: 'PT1H' }, 422, ['path.world_id']],
    ['POST', '/sandbox/worlds/wld_none/advance', { by: 'tomorrow' }, 422, ['body.by']],
    ['POST', '/sandbox/worlds/wld_none/advance', {}, 422, ['body']],
    ['POST', '/sandbox/worlds/wld_none/advance', { by: 'PT1H', to: START }, 422, ['body']],
  ])('refuse %s %s with %j', async (method, path, json, status, locations) => {
    expect(errorOf(await sandbox.send(method, path, json))).toEqual({
      status,
      code: status === 404 ? 'sandbox_error.not_found' : 'api_error.request.validation_failed',
      locations,
    });
  });

  it('advance by at most 366 days, and never move back', async () => {
    const { world_id: id } = await newWorld();
    for (const step of [
      { by: 'PT0S' },
      { by: 'P367D' },
      { to: START },
      { to: '2026-03-01T00:00:00' },
    ]) {
      expect(
        errorOf(await sandbox.send('POST', `/sandbox/worlds/${id}/advance`, step)),
      ).toMatchObject({ status: 422 });
    }
    expect(await sandbox.advance(id, { by: YEAR })).toMatchObject({
      world: { now: '2027-03-03T00:00:00.000' },
      settled: true,
    });
    expect(await sandbox.advance(id, { to: '2027-03-05T06:00:00' })).toMatchObject({
      world: { now: '2027-03-05T06:00:00.000' },
    });
  });
});

describe('A link in a world', () => {
  it("uses the world's clock, which stands still", async () => {
    const { world_id: id } = await newWorld();
    const linkId = await linkIn(id);
    const link = await app.link(linkId);
    expect({
      last_synced_at: link.last_synced_at,
      refreshed_at: link.products['transactions']?.refreshed_at,
      last_attempted_at: link.products['transactions']?.last_attempted_at,
    }).toEqual({ last_synced_at: START, refreshed_at: START, last_attempted_at: START });
    const { transactions } = await rowsOf(linkId);
    // 2026-03-02 is a day without a transaction.
    expect({ date: transactions[0]?.date, pending: transactions[0]?.pending }).toEqual({
      date: '2026-03-01T00:00:00',
      pending: true,
    });
    for (const { body } of await truth.events(linkId))
      expect(body).toContain('"webhook_timestamp":"2026-03-02T00:00:00.000+00:00"');
  });

  it('is refreshed and its transactions settle while the world advances, with the dates of the world', async () => {
    const { world_id: id } = await newWorld();
    const linkId = await linkIn(id);
    const pending = (await rowsOf(linkId)).transactions.filter((row) => row.pending);
    const { world, ran, settled } = await sandbox.advance(id, { by: 'P3D' });
    expect({ now: world.now, settled }).toEqual({ now: '2026-03-05T00:00:00.000', settled: true });
    expect(ran.scheduled_refreshes).toBeGreaterThanOrEqual(11);
    expect(ran.scheduled_refreshes).toBeLessThanOrEqual(13);
    expect(ran).toMatchObject({ settled_rows: pending.length, expired_auths: 0 });
    const link = await app.link(linkId);
    expect(
      link.last_synced_at &&
        link.last_synced_at > '2026-03-04T16:00:00' &&
        link.last_synced_at < '2026-03-05T00:00:00',
    ).toBe(true);
    const after = (await rowsOf(linkId)).transactions;
    for (const { transaction_id: row } of pending)
      expect(after.find(({ transaction_id: other }) => other === row)).toMatchObject({
        pending: false,
      });
    expect(
      (await truth.events(linkId)).map(
        ({ body }) => (JSON.parse(body) as { webhook_timestamp: string }).webhook_timestamp,
      ),
    ).toEqual(
      [...(await truth.events(linkId))]
        .map(({ body }) => (JSON.parse(body) as { webhook_timestamp: string }).webhook_timestamp)
        .sort(),
    );
  });

  it('has a balance history of days of its world', async () => {
    const { world_id: id } = await newWorld();
    const linkId = await linkIn(id);
    await sandbox.advance(id, { by: 'P3D' });
    const { accounts } = await app.get<{ accounts: { account_id: string }[] }>(
      `/links/${linkId}/accounts`,
    );
    const { from, to, balances } = await app.get<{
      from: string;
      to: string;
      balances: { date: string }[];
    }>(`/links/${linkId}/accounts/${accounts[0]?.account_id}/balances`);
    expect({ from, to, first: balances[0]?.date }).toEqual({
      from: '2025-12-06',
      to: '2026-03-05',
      first: '2026-03-02',
    });
  });

  it('loses its permission at the planned time', async () => {
    const { world_id: id } = await newWorld();
    const linkId = await linkIn(id, { username: 'auth_expires' });
    const linked = await app.link(linkId);
    expect(linked).toMatchObject({ permission_ends_at: '2026-03-03T00:00:00.000' });
    expect(Object.values(linked.products).map(({ refreshed_at: at }) => at)).toEqual([
      START,
      START,
      START,
      START,
    ]);
    const announced = (await truth.events(linkId)).map(
      ({ body }) => JSON.parse(body) as { webhook_event: string },
    );
    expect(
      announced.filter(({ webhook_event: name }) => name === 'link.permission_expiring'),
    ).toMatchObject([{ permission_ends_at: '2026-03-03T00:00:00.000+00:00' }]);
    expect(await sandbox.advance(id, { by: 'PT23H59M' })).toMatchObject({
      ran: { expired_auths: 0 },
    });
    expect(await app.link(linkId)).toMatchObject({ state: 'connected' });
    expect(await sandbox.advance(id, { by: 'PT1M' })).toMatchObject({
      ran: { expired_auths: 1, events: 1 },
    });
    expect(await app.link(linkId)).toMatchObject({ state: 'error', error_code: 'auth_expired' });
    expect(await sandbox.advance(id, { by: 'P2D' })).toMatchObject({
      ran: { scheduled_refreshes: 0, events: 0 },
    });
  });

  it('announces the end of a permission of 90 days 7 days and 1 day ahead', async () => {
    const { world_id: id } = await newWorld();
    const linkId = await linkIn(id, { username: 'auth_expires_90' });
    const notices = async () =>
      (await truth.events(linkId))
        .map(({ body }) => JSON.parse(body) as { webhook_event: string })
        .filter(({ webhook_event: name }) => name === 'link.permission_expiring').length;
    expect(await app.link(linkId)).toMatchObject({ permission_ends_at: '2026-05-31T00:00:00.000' });
    const seen = [await notices()];
    for (const by of ['P82DT23H59M', 'PT1M', 'P5DT23H59M', 'PT1M', 'PT23H59M']) {
      await sandbox.advance(id, { by });
      seen.push(await notices());
    }
    expect(seen).toEqual([0, 0, 1, 1, 2, 2]);
    expect(await app.link(linkId)).toMatchObject({ state: 'connected' });
    await sandbox.advance(id, { by: 'PT1M' });
    expect(await app.link(linkId)).toMatchObject({ error_code: 'auth_expired' });
  });

  it('is purged 90 days after its deletion', async () => {
    const { world_id: id } = await newWorld();
    const linkId = await linkIn(id);
    await sandbox.send('DELETE', `/links/${linkId}`);
    await sandbox.advance(id, { to: '2026-05-30T23:59:59' });
    expect(await app.link(linkId)).toMatchObject({ state: 'deleted' });
    await sandbox.advance(id, { by: 'PT1S' });
    expect(errorOf(await sandbox.send('GET', `/links/${linkId}`))).toMatchObject({
      status: 404,
      code: 'link_error.not_found',
    });
  });

  it('is affected only by faults of its own world', async () => {
    const [here, there] = [await newWorld(), await newWorld()];
    const [faulty, sound] = [await linkIn(here.world_id), await linkIn(there.world_id)];
    const fault = await sandbox.fault(CREDENTIALS, {
      kind: 'server_error',
      count: null,
      world_id: here.world_id,
    });
    expect(fault.world_id).toBe(here.world_id);
    await sandbox.advance(here.world_id, { by: 'P3D' });
    await sandbox.advance(there.world_id, { by: 'P1D' });
    expect(await app.link(faulty)).toMatchObject({
      state: 'error',
      error_code: 'institution_error',
    });
    expect(await app.link(sound)).toMatchObject({ state: 'connected' });
    await sandbox.ask('DELETE', `/sandbox/faults/${fault.fault_id}`);
    await sandbox.advance(here.world_id, { by: 'P2D' });
    expect(await app.link(faulty)).toMatchObject({ state: 'connected' });
  });

  it("has refresh limits by the world's clock when the world enforces them", async () => {
    const { world_id: id } = await newWorld({ enforce_refresh_limits: true });
    const linkId = await linkIn(id);
    const ask = () =>
      sandbox.send('POST', `/links/${linkId}/products`, { products: ['transactions'] });
    expect((await ask()).status).toBe(202);
    expect(await ask()).toMatchObject({ status: 429 });
    await sandbox.advance(id, { by: 'PT1H' });
    expect((await ask()).status).toBe(202);
  });

  it('is deleted with its world, without any webhook', async () => {
    const { world_id: id } = await newWorld();
    const linkId = await linkIn(id);
    expect((await sandbox.send('DELETE', `/sandbox/worlds/${id}`)).status).toBe(204);
    expect(errorOf(await sandbox.send('GET', `/links/${linkId}`))).toMatchObject({ status: 404 });
    expect(errorOf(await sandbox.send('GET', `/sandbox/worlds/${id}`))).toMatchObject({
      status: 404,
      code: 'sandbox_error.not_found',
    });
    expect(await truth.events(linkId)).toEqual([]);
  });
});

describe('Worlds with the same seed and the same calls', () => {
  it('have the same data except for ids', async () => {
    const recordStory = async (username: string) => {
      const { world_id: id } = await newWorld();
      const linkId = await linkIn(id, { username });
      await sandbox.script(linkId, [{ verb: 'authorize', ref: 'hold', amount: 3 }]);
      const steps = [
        await sandbox.advance(id, { by: 'P2D' }),
        await sandbox.advance(id, { by: 'PT30H' }),
      ];
      const { accounts } = await app.get<{ accounts: Record<string, unknown>[] }>(
        `/links/${linkId}/accounts`,
      );
      const { transactions } = await rowsOf(linkId);
      // Products fetched in parallel complete in any order.
      const events = (await truth.events(linkId))
        .map(({ body }) =>
          JSON.stringify({
            ...(JSON.parse(body) as Record<string, unknown>),
            link_id: '',
            webhook_idempotency_key: '',
          }),
        )
        .sort();
      return {
        ran: steps.map(({ ran }) => ran),
        products: (await app.link(linkId)).products,
        events,
        accounts: accounts.map((account) => ({ ...account, account_id: '' })),
        transactions: transactions
          .map((row) => JSON.stringify({ ...row, transaction_id: '', account_id: '' }))
          .sort(),
      };
    };
    // The rows of user_dynamic are numbered: no seed changes them.
    for (const username of representatives(
      ['user_good', 'user_dynamic'],
      (name) => name === 'user_good',
    ))
      expect(await recordStory(username)).toEqual(await recordStory(username));
  });
});
