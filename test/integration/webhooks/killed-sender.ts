import { EventEmitter, once } from 'node:events';
import pg from 'pg';
import { Pool, type Dispatcher } from 'undici';
import type { KillPoint } from './kill-points.js';
import { WebhookService } from './webhook-service.js';

// A sender that kills itself with SIGKILL at one point of an attempt. Everything in it is real but the moment of its death.
const {
  DATABASE_URL = '',
  MASTER_KEY = '',
  KILL_AT = '',
  LATER_ATTEMPT,
  TOLD_ENDPOINT,
} = process.env;
const EVERYWHERE = 'EXECUTE "webhook-claim-first-attempts"';
const CLAIM =
  TOLD_ENDPOINT === undefined ? 'EXECUTE "webhook-claim-' : 'EXECUTE "webhook-claim-told"';
const HOUR_MS = 3_600_000;

function reach(point: KillPoint): void {
  if (point === KILL_AT) process.kill(process.pid, 'SIGKILL');
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown;
/** Several statements in one message have a result each. */
type Result = pg.QueryResult | pg.QueryResult[];

const claims = new EventEmitter();
/** Connections in the transaction of an outcome. */
const recording = new WeakSet<pg.Client>();
const query = Reflect.get(pg.Client.prototype, 'query') as Query;
const watched: Query = function (this: pg.Client, ...args) {
  const [what] = args;
  const text = typeof what === 'string' ? what : (what as { text: string }).text;
  const { before, after } = pointsOf(this, text);
  if (before !== undefined) reach(before);
  const callback = args.at(-1);
  if (typeof callback === 'function') {
    args[args.length - 1] = (error: unknown, result: Result) => {
      if (error === null || error === undefined) after?.(result);
      (callback as (error: unknown, result: unknown) => void)(error, result);
    };
    return query.apply(this, args);
  }
  return (query.apply(this, args) as Promise<Result>).then((result) => {
    after?.(result);
    return result;
  });
};
Reflect.set(pg.Client.prototype, 'query', watched);

function pointsOf(
  client: pg.Client,
  text: string,
): { before?: KillPoint; after?: (result: Result) => void } {
  // The locks, the claim and its commit are one message.
  if (text.includes(CLAIM)) {
    return {
      before: 'claim begun',
      after: (results) => {
        const rows = [results].flat().at(-1)?.rows as { pk: unknown }[];
        if (rows.some(({ pk }) => pk !== null)) reach('claimed');
      },
    };
  }
  if (text.includes(EVERYWHERE)) return { after: () => void claims.emit('everywhere') };
  if (text.includes('history = d.history')) {
    return {
      before: 'outcome begun',
      after: () => {
        recording.add(client);
        reach('outcome written');
      },
    };
  }
  if (text.includes("'startWebhookDelivery'")) return { after: () => reach('workflow asked for') };
  if (text === 'COMMIT' && recording.delete(client))
    return { after: () => reach('outcome committed') };
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
} else if (TOLD_ENDPOINT === undefined) {
  service.relay.start();
} else {
  // It looks everywhere first, at an hour when nothing is due.
  service.advance(-HOUR_MS);
  const lookedEverywhere = once(claims, 'everywhere');
  service.relay.start();
  await lookedEverywhere;
  service.advance(HOUR_MS);
  service.relay.wake(TOLD_ENDPOINT);
}
