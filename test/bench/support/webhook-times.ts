import type { LeastDisturbed, Taken } from './least-disturbed.js';
import type { Report } from './report.js';

export interface SteadyTimes {
  /** Milliseconds from the start of the commit to arrival; direct POSTs from their start. */
  times: number[];
  /** The same from before the statement that commits, including the overhead of the load itself. */
  withStatement: number[];
  /** Milliseconds until each was committed. */
  commits: number[];
  /** Milliseconds of direct POSTs just before and after, if they were made. */
  direct: number[];
}

/**
 * @param started the moments at which the deliveries started, by their token
 * @throws if one of them did not arrive
 */
export function waitsUntil(
  arrivals: readonly [token: string, at: number][],
  started: ReadonlyMap<string, number>,
): number[] {
  const arrived = new Map(arrivals);
  return [...started].map(([token, at]) => {
    const arrival = arrived.get(token);
    if (arrival === undefined) throw new Error(`${token} did not arrive`);
    return arrival - at;
  });
}

export function timeAt(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The direct POSTs around windows of the worker, as windows. */
export function ofDirectPosts({
  others,
  ...best
}: LeastDisturbed<SteadyTimes>): LeastDisturbed<SteadyTimes> {
  const direct = ({ value, stolen }: Taken<SteadyTimes>): Taken<SteadyTimes> => ({
    value: { times: value.direct, withStatement: [], commits: [], direct: [] },
    stolen,
  });
  return { ...direct(best), others: others.map(direct) };
}

/** Notes the times of all windows together, and the 99th percentile of each. */
export function noteTimes(
  report: Report,
  name: string,
  windows: readonly LeastDisturbed<SteadyTimes>[],
  goal?: { p99: number },
): { p99: number } {
  const times = windows.flatMap(({ value }) => value.times);
  const commits = windows.flatMap(({ value }) => value.commits);
  const withStatement = windows.flatMap(({ value }) => value.withStatement);
  const ofWindow = ({ value, stolen }: Taken<SteadyTimes>) => ({
    p99: timeAt(value.times, 0.99),
    stolen,
  });
  const disturbed = windows.flatMap(({ others }) => others.map(ofWindow));
  const figures = {
    median: timeAt(times, 0.5),
    p99: timeAt(times, 0.99),
    most: timeAt(times, 1),
    commit: timeAt(commits, 0.99),
    withStatement: timeAt(withStatement, 0.99),
    count: times.length,
    windows: windows.map(ofWindow),
    disturbed,
  };
  const reached =
    goal === undefined
      ? ''
      : figures.p99 <= goal.p99
        ? `; goal ${goal.p99.toFixed(1)} reached`
        : `; goal ${goal.p99.toFixed(1)} MISSED`;
  const tell = ({ p99, stolen }: ReturnType<typeof ofWindow>): string =>
    `${p99.toFixed(1)}${stolen === null || stolen < 0.005 ? '' : ` at ${(100 * stolen).toFixed(0)} %`}`;
  const inTurn = ` (in turn ${figures.windows.map(tell).join(', ')})`;
  const commit =
    commits.length === 0
      ? ''
      : `, of the commit alone ${timeAt(commits, 0.99).toFixed(1)} ms, with the statement before it ${timeAt(withStatement, 0.99).toFixed(1)} ms`;
  const again =
    disturbed.length === 0
      ? ''
      : `; not counted, since the host took more: ${disturbed.map(tell).join(', ')}`;
  report.note(
    name,
    { ...figures, goal: goal?.p99 ?? null },
    `${name.padEnd(64)} median ${figures.median.toFixed(1)} ms, 99 % ${figures.p99.toFixed(1)} ms${inTurn}${commit}, longest ${figures.most.toFixed(1)} ms${reached}${again}`,
  );
  return figures;
}
