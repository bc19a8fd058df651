import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import { OutboxRelay } from '../../../apps/worker/src/outbox/outbox-relay.js';
import { ChannelListener } from '../../../prisma/base/database/channel-listener.js';
import { currentTraceId, runTraced } from '../../../prisma/base/database/work-origin.js';
import { enqueueCommand, type OutboxCommand } from '../../../prisma/base/outbox/outbox.js';
import { OutboxRepository } from '../../../prisma/base/outbox/outbox.repository.js';
import { eventually } from '../../support/assertions/eventually.js';
import { shareDatabase } from '../../support/fixtures/test-databases.js';
import { WebhookService } from '../webhooks/webhook-service.js';

const FIRST_WAIT_MS = 500;
const silent = createLogger({ name: 'test', level: 'silent', format: 'json' });
const refreshOf = (linkId: string): OutboxCommand => ({ kind: 'startProductRefresh', linkId });

describe('The outbox', () => {
  let service: WebhookService;
  let outbox: OutboxRepository;
  const relays: OutboxRelay[] = [];

  const nextDatabase = shareDatabase();
  beforeEach(async () => {
    service = await WebhookService.open({ opened: await nextDatabase() });
    outbox = new OutboxRepository(service.ctx);
  });
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
    await service.close();
  });

  const enqueue = async (command: OutboxCommand, availableAt?: Date) => {
    await service.ctx.database.transaction((tx) => enqueueCommand(tx, command, availableAt));
  };
  const relayWith = (perform: (command: OutboxCommand) => Promise<void>, pollMs = 20) => {
    const relay = new OutboxRelay({
      outbox,
      perform,
      logger: silent,
      clock: service.ctx.clock,
      pollMs,
    });
    relays.push(relay);
    relay.start();
    return relay;
  };
  const rows = async () =>
    service.ctx.database.prisma.outboxCommand.findMany({ orderBy: { pk: 'asc' } });
  const empty = () => eventually(async () => expect(await rows()).toEqual([]));

  it('runs each command once and removes it', async () => {
    const commands: OutboxCommand[] = [
      refreshOf('mk_1'),
      { kind: 'startWebhookDelivery', deliveryId: 'whd_1' },
      { kind: 'signalSession', sessionId: 'ses_1', mode: 'link', signal: 'exchanged' },
    ];
    for (const command of commands) await enqueue(command);
    const performed: OutboxCommand[] = [];
    relayWith((command) => Promise.resolve(void performed.push(command)));
    await empty();
    expect(performed).toEqual(commands);
  });

  it('performs a command as part of the trace of the request that caused it', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    await runTraced(traceId, () => enqueue(refreshOf('mk_1')));
    await enqueue(refreshOf('mk_2'));
    const traces: (string | null)[] = [];
    relayWith(() => Promise.resolve(void traces.push(currentTraceId())));
    await empty();
    expect(traces).toEqual([traceId, null]);
  });

  it('is notified by the transaction that adds a command', async () => {
    const performed: OutboxCommand[] = [];
    const relay = relayWith((command) => Promise.resolve(void performed.push(command)), 60_000);
    const listener = new ChannelListener({
      pool: service.ctx.database.pool,
      on: { outbox: () => relay.wake() },
      onError: () => undefined,
    });
    listener.start();
    await enqueue(refreshOf('mk_1'));
    await empty();
    listener.stop();
  });

  it('receives notifications again after its connection was lost', async () => {
    const relay = relayWith(() => Promise.resolve(), 60_000);
    let connects = 0;
    const listener = new ChannelListener({
      pool: service.ctx.database.pool,
      reconnectMs: 10,
      onError: () => undefined,
      on: {
        outbox: (payload) => {
          connects += payload === '' ? 1 : 0;
          relay.wake();
        },
      },
    });
    listener.start();
    await eventually(() => expect(connects).toBe(1));
    const before = connects;
    await service.ctx.database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()`,
    );
    await eventually(() => expect(connects).toBeGreaterThan(before));
    await enqueue(refreshOf('mk_1'));
    await empty();
    listener.stop();
  });

  it('is shared by several relays that do nothing twice', async () => {
    for (let index = 0; index < 60; index += 1) await enqueue(refreshOf(`mk_${index}`));
    const performed: string[] = [];
    const perform = async (command: OutboxCommand) => {
      await Promise.resolve();
      performed.push(JSON.stringify(command));
    };
    relayWith(perform);
    relayWith(perform);
    relayWith(perform);
    await empty();
    expect({ performed: performed.length, distinctPerformed: new Set(performed).size }).toEqual({
      performed: 60,
      distinctPerformed: 60,
    });
  });

  it('keeps commands while Temporal is unreachable, with no secret in their error', async () => {
    let away = true;
    let firstFailedAt: Date | undefined;
    let performed = 0;
    await enqueue(refreshOf('mk_1'));
    relayWith(() => {
      if (away) {
        firstFailedAt ??= service.ctx.clock();
        return Promise.reject(
          new Error('14 UNAVAILABLE: sandbox_ls_hush https://user:hush@temporal.example'),
        );
      }
      performed += 1;
      return Promise.resolve();
    });
    const [waiting] = await eventually(async () => {
      const found = await rows();
      expect(found[0]?.lastError).not.toBeNull();
      return found;
    });
    expect(waiting?.lastError).toContain('14 UNAVAILABLE');
    expect(waiting?.lastError).not.toContain('hush');
    // A slow computer may have tried again in the meantime.
    expect(waiting?.availableAt.getTime()).toBeGreaterThanOrEqual(
      (firstFailedAt?.getTime() ?? Infinity) + FIRST_WAIT_MS,
    );
    away = false;
    service.advance(60_000);
    await empty();
    expect(performed).toBe(1);
  });

  it('runs other commands while one fails', async () => {
    await enqueue(refreshOf('mk_broken'));
    await enqueue(refreshOf('mk_good'));
    const performed: string[] = [];
    relayWith((command) => {
      if (command.kind === 'startProductRefresh' && command.linkId === 'mk_broken')
        return Promise.reject(new Error('never'));
      performed.push(command.kind);
      return Promise.resolve();
    });
    await eventually(async () =>
      expect((await rows()).map(({ payload }) => payload)).toEqual([{ linkId: 'mk_broken' }]),
    );
    expect(performed).toEqual(['startProductRefresh']);
  });

  it('hands a command to another relay when the lease of a dead relay ends', async () => {
    await enqueue(refreshOf('mk_1'));
    expect(await outbox.claim(10, 5_000)).toHaveLength(1);
    expect(await outbox.claim(10, 5_000)).toEqual([]);
    service.advance(5_001);
    expect(await outbox.claim(10, 5_000)).toMatchObject([
      { command: refreshOf('mk_1'), attempts: 2 },
    ]);
  });

  it('runs a delayed command at its time', async () => {
    await enqueue(refreshOf('mk_1'), new Date(service.ctx.clock().getTime() + 60_000));
    expect(await outbox.claim(10, 5_000)).toEqual([]);
    service.advance(60_001);
    expect(await outbox.claim(10, 5_000)).toHaveLength(1);
  });
});
