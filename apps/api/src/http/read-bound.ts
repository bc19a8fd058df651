/**
 * What bounds the rows of a read. A call that only reads declares it with its route; the table of
 * docs/operating/limits.md is made from these declarations.
 */
export type ReadBound = (
  | { by: 'object' }
  /** The same bytes for everyone, kept in memory. */
  | { by: 'file' }
  /** The largest value of a parameter of the request. */
  | { by: 'page'; parameter: string; rows: number }
  /** Everything of one kind that is stored, whose number is bounded when it is written or read. */
  | { by: 'stored'; rows: string }
  /** Rows that are held at a time, while the caller reads. */
  | { by: 'stream'; rows: number }
) & {
  /** Seconds for which the call may wait, without work, for something to return. */
  waits?: number;
  /** The response is built object by object: an app makes one such call at a time, in each process. */
  inTurn?: true;
};

/** The page says once that a statement has 12 s, and that unread responses share `MAX_RESPONSES_PER_APP`. */
const STATEMENT = 'a statement';
const UNREAD = 'a response';

/** What bounds the bytes and the time of a read, by what bounds its rows. */
const OTHER_BOUNDS: Record<ReadBound['by'], { bytes: string; time: string }> = {
  object: { bytes: UNREAD, time: STATEMENT },
  file: { bytes: 'of the build', time: 'no work' },
  page: { bytes: UNREAD, time: STATEMENT },
  stored: { bytes: UNREAD, time: STATEMENT },
  stream: {
    bytes: 'these rows, and four chunks of 32 kB',
    time: `${STATEMENT}; an hour in all; 60 s in which nothing is read, 5 s while another stream of the app waits`,
  },
};

/** What bounds a read, in words. */
export function describeBound(bound: ReadBound): { rows: string; bytes: string; time: string } {
  const { bytes, time } = OTHER_BOUNDS[bound.by];
  const waits = bound.waits === undefined ? '' : `; waits up to ${bound.waits} s`;
  const inTurn = bound.inTurn === true ? '; one at a time of an app' : '';
  return { rows: rowsOf(bound), bytes, time: time + waits + inTurn };
}

function rowsOf(bound: ReadBound): string {
  switch (bound.by) {
    case 'object':
      return 'one object';
    case 'file':
      return 'none';
    case 'page':
      return `\`${bound.parameter}\`, at most ${bound.rows.toLocaleString('en-US')}`;
    case 'stored':
      return bound.rows;
    case 'stream':
      return `${bound.rows.toLocaleString('en-US')} at a time`;
  }
}
