import pg from 'pg';
import { Pool, type Dispatcher } from 'undici';
import type { KillPoint } from './kill-points.js';
import { WebhookService } from './webhook-service.js';

// A sender that kills itself with SIGKILL at one point of an attempt. Everything in it is real
// except the moment of its exit.
const { DATABASE_URL = '', MASTER_KEY = '', KILL_AT = '', LATER_ATTEMPT } = process.env;
const HOUR_MS = 3_600_000;

function reach(point: KillPoint): void {
  if (point === KILL_AT) process.kill(process.pid, 'SIGKILL');
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown;
/** The connections in the transaction of a claim that found a delivery. */
const claiming = new WeakSet<pg.Client>();
const query = Reflect.get(pg.Client.prototype, 'query') as Query;
const watched: Query = function (this: pg.Client, ...args) {
  const [what] = args;
  const text = typeof what === 'string' ? what : (what as { text: string }).text;
  const { before, after } = pointsOf(this, text);
  if (before !== undefined) reach(before);
  const callback = args.at(-1);
  if (typeof callback === 'function') {
    args[args.length - 1] = (error: unknown, result: pg.QueryResult) => {
      if (error === null || error === undefined) after?.(result);
      (callback as (error: unknown, result: unknown) => void)(error, result);
    };
    return query.apply(this, args);
  }
  return (query.apply(this, args) as Promise<pg.QueryResult>).then((result) => {
    after?.(result);
    return result;
  });
};
Reflect.set(pg.Client.prototype, 'query', watched);

function pointsOf(
  client: pg.Client,
  text: string,
): { before?: KillPoint; after?: (result: pg.QueryResult) => void } {
  if (text.includes('INSERT INTO webhook_leases')) {
    return {
      before: 'claim started',
      after: ({ rows }) => {
        if (!rows.some(({ pk }: { pk: unknown }) => pk !== null)) return;
        claiming.add(client);
        reach('claim written');
      },
    };
  }
  if (text.includes('history = d.history'))
    return { before: 'outcome started', after: () => reach('outcome written') };
  if (text.includes("'startWebhookDelivery'"))
    return { after: ({ rowCount }) => (rowCount === 0 ? undefined : reach('workflow requested')) };
  if (text === 'COMMIT' && claiming.delete(client)) return { after: () => reach('claimed') };
  return {};
}

const dispatch = Reflect.get(Pool.prototype, 'dispatch') as Dispatcher['dispatch'];
Reflect.set(
  Pool.prototype,
  'dispatch',
  function (this: Pool, options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    reach('about to post');
    return dispatch.call(this, options, {
      ...handler,
      onRequestStart: (controller: Dispatcher.DispatchController, context: unknown) => {
        handler.onRequestStart?.(controller, context);
        reach('posting');
      },
      onResponseStart: (
        ...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>
      ) => {
        reach('answered');
        handler.onResponseStart?.(...args);
      },
    });
  },
);

const service = await WebhookService.open({
  join: { url: DATABASE_URL, masterKey: MASTER_KEY },
  pollMs: HOUR_MS,
});
if (LATER_ATTEMPT !== undefined) {
  await service.attemptWhenDue({ deliveryId: LATER_ATTEMPT });
} else {
  service.relay.start();
  service.retries.start();
}
