import { TIMELINE_KINDS, type TimelineKind } from './timeline-row.js';

/** A row of a source, of which a timeline shows some. */
export interface SourceRow<Row> {
  kind: TimelineKind;
  at: Date;
  /** Distinguishes rows of one kind and time; rises with them. */
  key: string | bigint;
  /** Null = it is passed over. */
  shown: Row | null;
}

/** Rows of one source, newest first, behind its position. */
export interface Source<Row, Position> {
  rows: readonly (SourceRow<Row> & { position: Position })[];
  /** More rows follow the last one. */
  isCut: boolean;
  /** The place just above the first row, below which a row that appears later is not. */
  top: Position;
}

type Sources<Row, Positions> = {
  [Name in keyof Positions]: Source<Row, Positions[Name]>;
};

/**
 * One page of several sources by time, newest first. It ends early where the next row of a source
 * was not read. No row is lost or shown twice: the place of each source is its own, so even rows
 * whose times do not rise with their keys stay in their place among those of their source, and
 * rows that appear between two pages are on neither.
 * @returns the place of each source behind the page; null = the page is the last
 */
export function mergeSources<Row, Positions extends object>(
  sources: Sources<Row, Positions>,
  start: Positions,
  limit: number,
): { rows: Row[]; next: Positions | null } {
  const names = Object.keys(sources) as (keyof Positions)[];
  const taken = new Map(names.map((name) => [name, 0]));
  const headOf = (name: keyof Positions) => sources[name].rows[taken.get(name) ?? 0];
  const isUnread = (name: keyof Positions) => sources[name].isCut && headOf(name) === undefined;
  const next = { ...start };
  const rows: Row[] = [];
  while (rows.length < limit && !names.some(isUnread)) {
    const newest = names
      .filter((name) => headOf(name) !== undefined)
      .reduce<keyof Positions | undefined>((best, name) => {
        const [one, other] = [headOf(name), best === undefined ? undefined : headOf(best)];
        return one !== undefined && (other === undefined || isNewer(one, other)) ? name : best;
      }, undefined);
    if (newest === undefined) return { rows, next: null };
    const row = headOf(newest);
    if (row === undefined) break;
    taken.set(newest, (taken.get(newest) ?? 0) + 1);
    next[newest] = row.position;
    if (row.shown !== null) rows.push(row.shown);
  }
  for (const name of names) if (taken.get(name) === 0) next[name] = sources[name].top;
  const isOver = names.every((name) => headOf(name) === undefined && !isUnread(name));
  return { rows, next: isOver ? null : next };
}

function isNewer<Row>(one: SourceRow<Row>, other: SourceRow<Row>): boolean {
  const byTime = one.at.getTime() - other.at.getTime();
  if (byTime !== 0) return byTime > 0;
  const byKind = TIMELINE_KINDS.indexOf(one.kind) - TIMELINE_KINDS.indexOf(other.kind);
  return byKind === 0 ? one.key > other.key : byKind > 0;
}
