import { ChannelListener } from '../../../prisma/base/database/channel-listener.js';
import {
  currentMarks,
  untilRenewed,
} from '../../../prisma/base/database/confirmed-notifications.js';
import { Notifier, notify } from '../../../prisma/base/database/notifications.js';
import { eventually } from '../../support/assertions/eventually.js';
import { openStorage, type Storage } from '../../support/fixtures/stored-link.js';

let storage: Storage;
let listener: ChannelListener;
const heard: string[] = [];

beforeAll(async () => {
  storage = await openStorage();
  listener = new ChannelListener({
    pool: storage.ctx.database.pool,
    on: { link_session: (payload) => heard.push(payload) },
    onError: (error) => {
      throw error;
    },
  });
  listener.start();
  // Sent after every connect.
  await eventually(() => expect(heard).toEqual(['']));
});
afterAll(async () => {
  listener.stop();
  await storage.close();
});

it('Notifications are received after their transaction committed, and never when it did not', async () => {
  const { database } = storage.ctx;
  heard.length = 0;
  const failed = database.transaction(async (tx) => {
    notify(tx, 'link_session', 'rolled back');
    return Promise.reject(new Error('no'));
  });
  await expect(failed).rejects.toThrow('no');
  await database.transaction(async (tx) => {
    notify(tx, 'link_session', 'committed');
    await tx.$executeRaw`SELECT 1`;
    await database.notifier.settled();
    expect(heard).toEqual([]);
  });
  await eventually(() => expect(heard).toEqual(['committed']));
});

it('Notifications are sent once when they repeat before they were sent', async () => {
  heard.length = 0;
  const { notifier } = storage.ctx.database;
  notifier.send([{ channel: 'link_session', payload: 'first' }]);
  for (let times = 0; times < 3; times += 1)
    notifier.send([
      { channel: 'link_session', payload: 'again' },
      { channel: 'link_session', payload: 'other' },
    ]);
  await notifier.settled();
  await eventually(() => expect(heard).toEqual(['first', 'again', 'other']));
});

it('Confirmed notifications were handled by every listener when their sender continues', async () => {
  const { pool } = storage.ctx.database;
  const handled = [0, 0];
  let listening = 0;
  const listeners = handled.map(
    (_, index) =>
      new ChannelListener({
        pool,
        on: {
          client_changed: (payload) => {
            if (payload !== '') handled[index] = Number(payload);
          },
        },
        confirms: 'client_changed',
        onListening: () => {
          listening += 1;
        },
        onError: (error) => {
          throw error;
        },
      }),
  );
  for (const each of listeners) each.start();
  await eventually(() => expect(listening).toBe(2));
  for (let time = 1; time <= 20; time += 1) {
    const marks = await storage.ctx.database.transaction(async (tx) => {
      const before = await currentMarks(tx);
      await tx.$executeRaw`SELECT pg_notify('client_changed_' || suffix, ${String(time)}) FROM notification_channels`;
      return before;
    });
    expect(marks).toHaveLength(2);
    await untilRenewed(pool, marks, 60_000);
    expect(handled).toEqual([time, time]);
  }
  for (const each of listeners) each.stop();
});

it('Notifications that cannot be sent are left to the polling of the listeners', async () => {
  const errors: string[] = [];
  const pool = {
    query: () => Promise.reject(new Error('away')),
  } as unknown as ConstructorParameters<typeof Notifier>[0];
  const notifier = new Notifier(pool, ({ message }) => errors.push(message));
  notifier.send([{ channel: 'outbox', payload: '' }]);
  await notifier.settled();
  expect(errors).toEqual(['away']);
});

it('Notifications need a transaction that sends them', () => {
  expect(() => notify(storage.ctx.database.prisma, 'outbox')).toThrow('Database.transaction');
});
