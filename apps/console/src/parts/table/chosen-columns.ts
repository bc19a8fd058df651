/** The part of a column that the choice needs. */
export interface OptionalColumn {
  id: string;
  /** Always shown: a row needs its name. */
  isFixed?: boolean;
  /** Shown only when chosen. */
  isExtra?: boolean;
}

/**
 * The columns of an address: `cols` names those beside the fixed ones, separated by commas.
 * @param cols absent = those that are no extras
 */
export function chosenColumns<Column extends OptionalColumn>(
  columns: readonly Column[],
  cols: string | undefined,
): Column[] {
  if (cols === undefined) return columns.filter(({ isExtra }) => isExtra !== true);
  const named = new Set(cols.split(','));
  return columns.filter(({ id, isFixed }) => isFixed === true || named.has(id));
}

/** `cols` after one column is switched; undefined = the same as without a choice. */
export function withColumn(
  columns: readonly OptionalColumn[],
  cols: string | undefined,
  id: string,
): string | undefined {
  const shown = new Set(chosenColumns(columns, cols).map((column) => column.id));
  if (shown.has(id)) shown.delete(id);
  else shown.add(id);
  const text = (ids: readonly OptionalColumn[]): string =>
    ids
      .filter(({ isFixed }) => isFixed !== true)
      .map((column) => column.id)
      .join(',');
  const next = text(columns.filter((column) => shown.has(column.id)));
  return next === text(chosenColumns(columns, undefined)) ? undefined : next;
}
