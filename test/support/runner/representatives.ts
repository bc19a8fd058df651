/**
 * The rows of a table that `npm test` proves, while long runs prove the whole table: for rows that
 * take the same way through the service, and that a cheaper level proves one by one.
 * @throws Error when no row is left
 */
export function representatives<Row>(
  rows: readonly Row[],
  stands: (row: Row) => boolean,
): readonly Row[] {
  const chosen = process.env['LONG_RUNS'] ? rows : rows.filter(stands);
  if (chosen.length === 0) throw new Error('No row stands for the table.');
  return chosen;
}
