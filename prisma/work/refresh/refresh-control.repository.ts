import type { Context } from '../../base/context.js';
import type { ControlScope } from './refresh-controls.js';

export interface ControlledInstitution {
  institutionId: string;
  name: string;
  environment: string;
  country: string;
  providers: string[];
  control: ShownControl;
}

export interface ShownControl {
  paused: boolean;
  /** Null while paused indefinitely. */
  pausedUntil: Date | null;
  intervalMs: number | null;
  slowIntervalMs: number | null;
}

interface ControlRow {
  pausedUntil: Date | null;
  intervalMs: bigint | null;
  slowIntervalMs: bigint | null;
}

/** Represents an indefinite pause. */
export const UNTIL_RESUMED = new Date('9999-01-01T00:00:00Z');

/** Lets operators pause scheduled refreshes and change their intervals (link-lifecycle 7.4). */
export class RefreshControlRepository {
  constructor(private readonly ctx: Pick<Context, 'database' | 'clock'>) {}

  async institutions(): Promise<ControlledInstitution[]> {
    const { prisma } = this.ctx.database;
    const [rows, controls] = await Promise.all([
      prisma.institution.findMany({
        include: { routes: { select: { provider: true }, orderBy: { priority: 'desc' } } },
        orderBy: { institutionId: 'asc' },
      }),
      prisma.refreshControl.findMany({ where: { scope: 'institution' } }),
    ]);
    return rows.map(({ institutionId, name, environment, country, routes }) => ({
      institutionId,
      name,
      environment,
      country,
      providers: routes.map(({ provider }) => provider),
      control: this.shown(controls.find((control) => control.name === institutionId)),
    }));
  }

  /** `until` null = until resumed. Returns null if the institution or provider is unknown. */
  async pause(scope: ControlScope, name: string, until: Date | null): Promise<ShownControl | null> {
    return this.set(scope, name, { pausedUntil: until ?? UNTIL_RESUMED });
  }

  async resume(scope: ControlScope, name: string): Promise<ShownControl | null> {
    return this.set(scope, name, { pausedUntil: null });
  }

  /** Null = the default from the settings; undefined = unchanged. */
  async setIntervals(
    scope: ControlScope,
    name: string,
    { fastMs, slowMs }: { fastMs?: number | null; slowMs?: number | null },
  ): Promise<ShownControl | null> {
    return this.set(scope, name, {
      ...(fastMs === undefined ? {} : { intervalMs: fastMs }),
      ...(slowMs === undefined ? {} : { slowIntervalMs: slowMs }),
    });
  }

  private async set(
    scope: ControlScope,
    name: string,
    data: { pausedUntil?: Date | null; intervalMs?: number | null; slowIntervalMs?: number | null },
  ): Promise<ShownControl | null> {
    if (!(await this.exists(scope, name))) return null;
    return this.shown(
      await this.ctx.database.prisma.refreshControl.upsert({
        where: { scope_name: { scope, name } },
        create: { scope, name, ...data },
        update: data,
      }),
    );
  }

  private async exists(scope: ControlScope, name: string): Promise<boolean> {
    const { prisma } = this.ctx.database;
    return (
      (await prisma.institutionRoute.count({
        where: scope === 'institution' ? { institutionId: name } : { provider: name },
      })) > 0
    );
  }

  private shown(row: ControlRow | undefined): ShownControl {
    const until = row?.pausedUntil ?? null;
    const paused = until !== null && until > this.ctx.clock();
    return {
      paused,
      pausedUntil: paused && until < UNTIL_RESUMED ? until : null,
      intervalMs: row?.intervalMs == null ? null : Number(row.intervalMs),
      slowIntervalMs: row?.slowIntervalMs == null ? null : Number(row.slowIntervalMs),
    };
  }
}
