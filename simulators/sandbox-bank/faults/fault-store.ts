import type { FaultKind, FaultOperation } from '../../../domain/sandbox/sandbox-fault.js';
import type { Database } from '../storage/database.js';

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

/** The place at which a call may meet a fault. */
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

const COLUMNS = `f.fault_id as "faultId", f.world_id as "worldId", f.institution_id as "institutionId",
  f.operation, f.kind, f.remaining, f.delay_seconds as "delaySeconds",
  f.retry_after_seconds as "retryAfterSeconds", f.created_at as "createdAt"`;

export class FaultStore {
  constructor(private readonly database: Database) {}

  /** The fault with this id, created now or earlier. */
  async create(wanted: NewFault): Promise<Fault> {
    await this.database.query(
      `insert into sandbox_bank.fault (fault_id, world_id, institution_id, operation, kind, remaining, delay_seconds, retry_after_seconds)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (fault_id) do nothing`,
      [
        wanted.faultId,
        wanted.worldId,
        wanted.institutionId,
        wanted.operation,
        wanted.kind,
        wanted.remaining,
        wanted.delaySeconds,
        wanted.retryAfterSeconds,
      ],
    );
    const fault = await this.find(wanted.faultId);
    if (fault === null) throw new Error('A fault was lifted while it was made.');
    return fault;
  }

  /** The active ones, oldest first. */
  list(worldId: string, institutionId: string): Promise<Fault[]> {
    return this.database.query(
      `select ${COLUMNS} from sandbox_bank.fault f
        where world_id = $1 and institution_id = $2 and (remaining is null or remaining > 0) order by place`,
      [worldId, institutionId],
    );
  }

  async find(faultId: string): Promise<Fault | null> {
    const [fault] = await this.database.query<Fault>(
      `select ${COLUMNS} from sandbox_bank.fault f where fault_id = $1`,
      [faultId],
    );
    return fault ?? null;
  }

  async lift(faultId: string): Promise<void> {
    await this.database.query('delete from sandbox_bank.fault where fault_id = $1', [faultId]);
  }

  /** The oldest fault that applies to this call, with one use taken; null = none. */
  async meet({
    worldId,
    institutionId,
    operation,
    useKey,
    without,
  }: FaultPlace): Promise<Fault | null> {
    const candidates = await this.database.query<Fault & { isMetBefore: boolean }>(
      `select ${COLUMNS}, u.use_key is not null as "isMetBefore"
         from sandbox_bank.fault f left join sandbox_bank.fault_use u on u.fault_id = f.fault_id and u.use_key = $4
        where f.world_id = $1 and f.institution_id = $2 and f.operation in ($3, 'any') and f.kind <> all ($5)
          and (u.use_key is not null or f.remaining is null or f.remaining > 0)
        order by (u.use_key is null), f.place`,
      [worldId, institutionId, operation, useKey, without],
    );
    for (const fault of candidates)
      if (fault.isMetBefore || (await this.takeUse(fault, useKey))) return fault;
    return null;
  }

  /** False when another call used up the fault in the meantime. */
  private async takeUse({ faultId }: Fault, useKey: string | null): Promise<boolean> {
    const taken = await this.database.query(
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
