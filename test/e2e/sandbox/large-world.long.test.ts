import { errorOf } from '../../support/services/api-client.js';
import { eventually } from '../../support/assertions/eventually.js';
import type { WorldBody } from '../../support/actors/sandbox-caller.js';
import { sandbox, serviceOfFile, truth } from '../../support/fixtures/sandbox-service.js';

serviceOfFile();

describe('A large world', () => {
  it('disappears at once with its links when it is deleted, and its rows are removed in the background', async () => {
    const world = await sandbox.world();
    const { link_id: linkId } = await sandbox.link({ world_id: world.world_id });
    const [stored] = await truth.rows<{ pk: string }>('SELECT pk FROM links WHERE link_id = $1', [
      linkId,
    ]);
    const pk = stored?.pk ?? '';
    await truth.rows(MANY_VERSIONS, [pk]);

    expect((await sandbox.send('DELETE', `/sandbox/worlds/${world.world_id}`)).status).toBe(204);
    expect(errorOf(await sandbox.send('GET', `/sandbox/worlds/${world.world_id}`))).toMatchObject({
      status: 404,
    });
    expect(
      errorOf(await sandbox.send('DELETE', `/sandbox/worlds/${world.world_id}`)),
    ).toMatchObject({ status: 404 });
    for (const path of ['', '/accounts', '/transactions', '/transactions/sync']) {
      expect(errorOf(await sandbox.send('GET', `/links/${linkId}${path}`))).toMatchObject({
        status: 404,
        code: 'link_error.not_found',
      });
    }
    const { worlds } = await sandbox.ask<{ worlds: WorldBody[] }>('GET', '/sandbox/worlds');
    expect(worlds.map(({ world_id: id }) => id)).not.toContain(world.world_id);
    expect(await truth.events(linkId)).toEqual([]);
    await eventually(
      async () => {
        expect(
          await truth.rows('SELECT 1 FROM transaction_versions WHERE link_pk = $1 LIMIT 1', [pk]),
        ).toEqual([]);
        expect(await truth.rows('SELECT 1 FROM links WHERE pk = $1', [pk])).toEqual([]);
      },
      { within: 150_000 },
    );
  });
});

/** More rows than are removed while the caller waits. */
const MANY_VERSIONS = `
  INSERT INTO transaction_versions (link_pk, seq, next_seq, first_seq, born_pending, removed, transaction_id, account_id,
                                    provider_transaction_id, amount, type, currency, date, pending, content_hash, body)
  SELECT $1::bigint, n, n + 1, n, false, false, 'txn_' || n, 'acc_1', 'row-' || n, 1, 'debit', 'USD', '2026-01-01', false, '', '{}'
    FROM generate_series(100001, 112000) AS n`;
