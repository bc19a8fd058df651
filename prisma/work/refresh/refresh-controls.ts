import type { ScheduleControl } from '../../../domain/refresh/refresh-schedule.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { RefreshControl } from '../../generated/client.js';

export type ControlScope = 'institution' | 'provider';

/** The operators' settings for institutions and providers; few rows. */
export class RefreshControls {
  private constructor(private readonly byKey: ReadonlyMap<string, ScheduleControl>) {}

  static async load(db: Tx | Context['database']['prisma']): Promise<RefreshControls> {
    const rows = await db.refreshControl.findMany();
    return new RefreshControls(
      new Map(rows.map((row) => [`${row.scope}/${row.name}`, controlOf(row)])),
    );
  }

  /** The controls of a link: its institution's take precedence over its provider's. */
  of({
    institutionId,
    provider,
  }: {
    institutionId: string;
    provider: string;
  }): (ScheduleControl | undefined)[] {
    return [this.byKey.get(`institution/${institutionId}`), this.byKey.get(`provider/${provider}`)];
  }
}

function controlOf({ pausedUntil, intervalMs, slowIntervalMs }: RefreshControl): ScheduleControl {
  return {
    pausedUntil,
    intervals: {
      fast: intervalMs === null ? null : Number(intervalMs),
      slow: slowIntervalMs === null ? null : Number(slowIntervalMs),
    },
  };
}
