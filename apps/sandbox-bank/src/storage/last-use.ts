/** Uses within an hour count as one, so that reading does not mean writing each time. */
export const isSeenAgain = (table: string): string =>
  `${table}.last_used_at < now() - interval '1 hour'`;
