import type pg from 'pg';
import { currentOwner } from './work-origin.js';
import { GuardedPool, type GuardedPoolOptions } from './guarded-pool.js';
import { OwnerTurns, type OwnerTurnsOptions } from './owner-turns.js';

type Connected = Parameters<pg.Pool['connect']>[0];

const MAX_WAITING = 1_000;

/** The owner already uses its share of the connections, and too much of its work is waiting. */
export class OwnerBusy extends Error {
  readonly code = 'OWNER_BUSY';

  constructor() {
    super('too much work of one owner waits for the database');
    this.name = 'OwnerBusy';
  }
}

/**
 * A pool of which one owner (connection-owner.ts) uses at most `perOwner` connections at once, so
 * it cannot starve the others. A turn lasts as long as the connection is held. docs/decisions/0020.
 */
export class SharedPool extends GuardedPool {
  private readonly holders = new WeakMap<pg.PoolClient, string>();
  private readonly turns: OwnerTurns;

  constructor(options: GuardedPoolOptions, share: Pick<OwnerTurnsOptions, 'perOwner' | 'waitMs'>) {
    super(options);
    this.turns = new OwnerTurns({ ...share, maxWaiting: MAX_WAITING });
    this.on('release', (_error, client) => this.released(client));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    const owner = currentOwner();
    if (callback !== undefined)
      return owner === null ? super.connect(callback) : this.connectInTurn(owner, callback);
    if (owner === null) return super.connect();
    return new Promise((resolve, reject) => {
      this.connectInTurn(owner, (error, client) =>
        client === undefined ? reject(error ?? new OwnerBusy()) : resolve(client),
      );
    });
  }

  private connectInTurn(owner: string, callback: Connected): void {
    const connect = (): void =>
      super.connect((error, client, done) => {
        if (client === undefined) this.turns.end(owner);
        else this.holders.set(client, owner);
        callback(error, client, done);
      });
    this.turns.begin(owner, connect, () => callback(new OwnerBusy(), undefined, () => undefined));
  }

  private released(client: pg.PoolClient): void {
    const owner = this.holders.get(client);
    if (owner === undefined) return;
    this.holders.delete(client);
    // The pool gets the connection back on the next tick; the next turn then reuses it instead of
    // opening a new one.
    queueMicrotask(() => this.turns.end(owner));
  }
}
