import { refreshSteps } from '../../support/fixtures/refresh-steps.js';
import { runCommand } from '../../support/actors/operator.js';
import { eventually } from '../../support/assertions/eventually.js';
import {
  fetchRows,
  row,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';
import {
  connectedLink,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import { copyDatabase, restoreDatabase } from '../../support/services/embedded-services.js';

interface SyncBody {
  transactions: { created: { description: string }[] };
  cursor: { next: string };
}

describe('An API whose database is restored while it runs', () => {
  let service: ApiInProcess;
  let token: string;
  beforeAll(async () => {
    service = await startApiInProcess();
    token = await service.token('pocket-ledger');
  });
  afterAll(() => service.close());

  async function store(linkId: string, ...ids: string[]): Promise<void> {
    const { ctx } = service;
    const { pk } = await ctx.database.prisma.link.findUniqueOrThrow({ where: { linkId } });
    const storage = { ctx, refresh: refreshSteps(ctx) } as unknown as Storage;
    await fetchRows(
      storage,
      { pk, linkId, accounts: new Map() } satisfies StoredLink,
      ids.map((id) => row(id, { description: id })),
    );
  }
  const sync = (linkId: string, cursor = '') =>
    service.api
      .as(token)
      .get(`/links/${linkId}/transactions/sync?cursor=${encodeURIComponent(cursor)}`);
  async function synced(linkId: string, cursor = '') {
    const { status, body } = await sync(linkId, cursor);
    expect(status).toBe(200);
    const { transactions, cursor: next } = body as SyncBody;
    return { rows: transactions.created.map(({ description }) => description), next: next.next };
  }

  it('serves nothing until `operator recover` has run, and no cursor that would hide a row afterwards', async () => {
    const webhook = 'https://app.example/hooks';
    const linkId = await connectedLink(service, token, { webhook });
    await store(linkId, 'before');
    const inBackup = await synced(linkId);
    expect(inBackup.rows).toEqual(['before']);
    const url = String(service.environment['DATABASE_URL']);
    const backup = await copyDatabase(url);
    const pending = { where: { status: 'pending' } };
    const toSend = await service.database.prisma.webhookDelivery.count(pending);
    expect(toSend).toBeGreaterThan(0);

    await store(linkId, 'before', 'lost-1', 'lost-2', 'lost-3');
    const lost = await synced(linkId, inBackup.next);
    expect(lost.rows).toEqual(['lost-1', 'lost-2', 'lost-3']);
    const laterLink = await connectedLink(service, token);
    // A call that failed while the backup was being taken was never sent.
    await service.database.prisma.webhookDelivery.updateMany({ data: { status: 'delivered' } });

    await restoreDatabase(url, backup.url);
    const refused = await sync(linkId, inBackup.next);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect((await service.api.get('/health/ready')).body).toMatchObject({
      status: 'unavailable',
      parts: { database_identity: 'down' },
    });
    expect((await service.api.get('/health/live')).status).toBe(200);

    const { status, stderr } = await runCommand(['recover'], { ...service.environment });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    await eventually(async () =>
      expect((await service.api.get('/health/ready')).body).toMatchObject({
        parts: { database_identity: 'up' },
      }),
    );
    await service.database.checkIdentity();

    const old = await sync(linkId, lost.next);
    expect(old.status).toBe(422);
    expect(JSON.stringify(old.body)).toContain('"cursor"');
    expect((await sync(laterLink)).status).toBe(404);
    expect(await service.database.prisma.webhookDelivery.count(pending)).toBe(toSend);
    await store(linkId, 'before', 'lost-2', 'new');
    expect((await synced(linkId, inBackup.next)).rows).toEqual(['lost-2', 'new']);
    expect((await synced(linkId)).rows).toEqual(['before', 'lost-2', 'new']);
    await backup.drop();
  });

  it('starts on a restored database, returns 503, and is ready after `operator recover` without a restart', async () => {
    const url = String(service.environment['DATABASE_URL']);
    const backup = await copyDatabase(url);
    await restoreDatabase(url, backup.url);
    const second = await service.another();
    try {
      expect((await second.api.as(token).get('/links')).status).toBe(503);
      expect(await second.api.get('/health/ready')).toMatchObject({
        status: 503,
        body: {
          parts: {
            database_identity: 'down',
            database: 'down',
            schema: 'down',
            master_keys: 'down',
          },
        },
      });
      const { status } = await runCommand(['recover', '--nothing-lost'], {
        ...service.environment,
      });
      expect(status).toBe(0);
      await eventually(async () =>
        expect((await second.api.as(token).get('/links')).status).toBe(200),
      );
    } finally {
      await second.close();
      await backup.drop();
    }
  });
});
