import type { TimelineKind } from '../../../../prisma/links/timeline/timeline-row.js';

/** One thing that happened to a link, in words. */
export interface TimelineEntry {
  kind: TimelineKind;
  at: Date;
  /** The id by which other commands find it; null = it has none. */
  id: string | null;
  title: string;
  cause: string | null;
  /** The remedy, and the person who has it; null = none is needed. */
  remedy: string | null;
  /** Details, in the order of reading. */
  lines: readonly string[];
}

const MAX_TEXT = 200;

/** A text of a bank or operator, as far as an entry shows it. */
export const shortened = (text: string): string =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
