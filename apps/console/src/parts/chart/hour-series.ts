/** What an hour has of each outcome. */
export interface Hour {
  /** The start of the hour, as the API writes times. */
  hour: string;
  ok: number;
  failed: number;
  /** Left by the user; absent where no one can leave. */
  left?: number;
}

export interface HourTotals {
  ok: number;
  failed: number;
  left: number;
  all: number;
  /** The largest hour. */
  most: number;
}

const sizeOf = ({ ok, failed, left = 0 }: Hour): number => ok + failed + left;

export function totalsOf(hours: readonly Hour[]): HourTotals {
  const totals = { ok: 0, failed: 0, left: 0, all: 0, most: 0 };
  for (const hour of hours) {
    totals.ok += hour.ok;
    totals.failed += hour.failed;
    totals.left += hour.left ?? 0;
    totals.all += sizeOf(hour);
    totals.most = Math.max(totals.most, sizeOf(hour));
  }
  return totals;
}

/** `24 hours: 312 in total; 290 ok, 12 failed, 10 left by the user.` */
export function hoursSentence(subject: string, hours: readonly Hour[]): string {
  const { ok, failed, left, all } = totalsOf(hours);
  const count = (value: number): string => value.toLocaleString('en');
  if (all === 0) return `${subject}, 24 hours: none.`;
  const parts = [
    `${count(ok)} ok`,
    `${count(failed)} failed`,
    ...(hours.some((hour) => hour.left !== undefined) ? [`${count(left)} left by the user`] : []),
  ];
  return `${subject}, 24 hours: ${count(all)}; ${parts.join(', ')}.`;
}

/** One part of a bar, from its lower edge up, in shares of the highest bar. */
export interface Segment {
  kind: 'ok' | 'failed' | 'left';
  from: number;
  to: number;
}

export function segmentsOf(hour: Hour, most: number): Segment[] {
  let from = 0;
  return (['ok', 'failed', 'left'] as const).flatMap((kind) => {
    const value = hour[kind] ?? 0;
    if (value === 0 || most === 0) return [];
    const to = from + value / most;
    const segment = { kind, from, to };
    from = to;
    return [segment];
  });
}
