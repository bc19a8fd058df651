import {
  FAULT_KINDS,
  FAULT_OPERATIONS,
  type FaultKind,
  type FaultOperation,
} from './fault-kinds.js';
import type { Database, Row } from '../storage/database.js';
import { dateOrNullOf, textOf } from '../storage/row-values.js';

/** A fault at an institution of one world: a number of times, or until it is removed. */
export interface Fault {
  faultId: string;
  worldId: string;
  institutionId: string;
  operation: FaultOperation;
  kind: FaultKind;
  /** Remaining uses; null = until it is removed. */
  remaining: number | null;
  delaySeconds: number;
  retryAfterSeconds: number | null;
  createdAt: Date;
}

export type NewFault = Omit<Fault, 'createdAt'>;

/** Where a call might meet a fault. */
export interface FaultPlace {
  worldId: string;
  institutionId: string;
  operation: Exclude<FaultOperation, 'any'>;
  /**
   * The same for every attempt of one fetch or login, which is one use; null = each call is one.
   */
  useKey: string | null;
  /** Kinds that do not apply here. */
  without: readonly FaultKind[];
}

export interface FaultStore {
  /** The fault with this id, created now or earlier. */
  create(wanted: NewFault): Promise<Fault>;
  /** The active ones, oldest first. */
  list(worldId: string, institutionId: string): Promise<Fault[]>;
  find(faultId: string): Promise<Fault | null>;
  lift(faultId: string): Promise<void>;
  /** The oldest fault that applies to this call, with one use taken; null = none. */
  meet(place: FaultPlace): Promise<Fault | null>;
}

export function createFaultStore(database: Database): FaultStore {
  return {
    async create({
      faultId,
      worldId,
      institutionId,
      operation,
      kind,
      remaining,
      delaySeconds,
      retryAfterSeconds,
    }) {
      await database.query(
        `insert into sandbox_bank.fault (fault_id, world_id, institution_id, operation, kind, remaining, delay_seconds, retry_after_seconds)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (fault_id) do nothing`,
        [
          faultId,
          worldId,
          institutionId,
          operation,
          kind,
          remaining,
          delaySeconds,
          retryAfterSeconds,
        ],
      );
      const [row] = await database.query('select * from sandbox_bank.fault where fault_id = $1', [
        faultId,
      ]);
      if (row === undefined) throw new Error('A fault was lifted while it was made.');
      return toFault(row);
    },

    async list(worldId, institutionId) {
      const rows = await database.query(
        `select * from sandbox_bank.fault
          where world_id = $1 and institution_id = $2 and (remaining is null or remaining > 0) order by place`,
        [worldId, institutionId],
      );
      return rows.map(toFault);
    },

    async find(faultId) {
      const [row] = await database.query('select * from sandbox_bank.fault where fault_id = $1', [
        faultId,
      ]);
      return row === undefined ? null : toFault(row);
    },

    async lift(faultId) {
      await database.query('delete from sandbox_bank.fault where fault_id = $1', [faultId]);
    },

    async meet({ worldId, institutionId, operation, useKey, without }) {
      const candidates = await database.query(
        `select f.*, u.use_key is not null as met_before
           from sandbox_bank.fault f left join sandbox_bank.fault_use u on u.fault_id = f.fault_id and u.use_key = $4
          where f.world_id = $1 and f.institution_id = $2 and f.operation in ($3, 'any') and f.kind <> all ($5)
            and (u.use_key is not null or f.remaining is null or f.remaining > 0)
          order by (u.use_key is null), f.place`,
        [worldId, institutionId, operation, useKey, without],
      );
      for (const row of candidates) {
        const fault = toFault(row);
        if (row['met_before'] === true || (await takeUse(fault, useKey))) return fault;
      }
      return null;
    },
  };

  /** False when another call took the last use meanwhile. */
  async function takeUse({ faultId }: Fault, useKey: string | null): Promise<boolean> {
    const taken = await database.query(
      `with taken as (
         update sandbox_bank.fault set remaining = remaining - 1
          where fault_id = $1 and (remaining is null or remaining > 0) returning fault_id)
       , kept as (
         insert into sandbox_bank.fault_use (fault_id, use_key)
         select fault_id, $2 from taken where $2::text is not null on conflict do nothing)
       select 1 from taken`,
      [faultId, useKey],
    );
    return taken.length > 0;
  }
}

function toFault(row: Row): Fault {
  const operation = FAULT_OPERATIONS.find((known) => known === row['operation']);
  const kind = FAULT_KINDS.find((known) => known === row['kind']);
  if (operation === undefined || kind === undefined)
    throw new TypeError('a stored fault is not of the agreed form');
  return {
    faultId: textOf(row, 'fault_id'),
    worldId: textOf(row, 'world_id'),
    institutionId: textOf(row, 'institution_id'),
    operation,
    kind,
    remaining: row['remaining'] === null ? null : Number(row['remaining']),
    delaySeconds: Number(row['delay_seconds']),
    retryAfterSeconds:
      row['retry_after_seconds'] === null ? null : Number(row['retry_after_seconds']),
    createdAt: dateOrNullOf(row, 'created_at') ?? new Date(0),
  };
}
