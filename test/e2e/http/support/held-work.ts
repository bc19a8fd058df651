import pg from 'pg';
import { IdempotencyRepository } from '../../../../prisma/tenants/applications/idempotency.repository.js';

/**
 * Work of a request that took place, but whose result this process has not received: the request is
 * suspended until `release`. Unlike a wait in PostgreSQL, the suspension has no time limit that a
 * slow computer could exceed.
 */
export interface HeldWork {
  /** Resolves once the work has taken place. @throws when `request` ends without it */
  doneBy(request: Promise<unknown>): Promise<void>;
  /** Resumes the request. */
  release(): void;
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

const held = new Set<HeldWork>();

/**
 * Holds back PostgreSQL's response to the next COMMIT of `Database.transaction` in this process, which commits the effect of
 * a request. Short transactions that only count a call use plain text.
 */
export function holdNextCommit(): HeldWork {
  return holdNext(pg.Client.prototype, 'query', ([what]) => {
    return typeof what !== 'string' && (what as { text?: string }).text === 'COMMIT';
  });
}

/** Suspends the next request of this process that has an idempotency key, once it holds the key. */
export function holdNextKeyUse(): HeldWork {
  return holdNext(IdempotencyRepository.prototype, 'begin', () => true);
}

/** Use it after each test. A suspended request would prevent its service from closing. */
export function releaseHeldWork(): void {
  for (const work of held) work.release();
}

function holdNext<Owner extends object>(
  owner: Owner,
  name: keyof Owner,
  isMeant: (args: unknown[]) => boolean,
): HeldWork {
  const method = Reflect.get(owner, name) as Method;
  let reach = (): void => undefined;
  let resume = (): void => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const resumed = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const restore = () => Reflect.set(owner, name, method);
  const watched: Method = function (...args) {
    if (!isMeant(args)) return method.apply(this, args);
    restore();
    return (method.apply(this, args) as Promise<unknown>).then(async (result) => {
      reach();
      await resumed;
      return result;
    });
  };
  Reflect.set(owner, name, watched);
  const work: HeldWork = {
    doneBy: (request) => {
      const ended = request.then((response) => {
        throw new Error(`The request ended too early: ${JSON.stringify(response)}`);
      });
      return Promise.race([reached, ended]);
    },
    release: () => {
      held.delete(work);
      if (Reflect.get(owner, name) === watched) restore();
      resume();
    },
  };
  held.add(work);
  return work;
}
