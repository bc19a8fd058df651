import { useRef, useState } from 'react';
import { holdRows, type HeldRows } from './held-rows.js';

/**
 * Keeps rows where they are while a list is polled.
 * @param list the address of the list: another one starts again
 */
export function useHeldRows<Row>(
  list: string,
  polled: readonly Row[],
  keyOf: (row: Row) => string,
): HeldRows<Row> & { showAll: () => void } {
  const held = useRef<{
    list: string;
    polled: readonly Row[];
    shown: string[];
    rows: Map<string, Row>;
  }>({ list: '', polled: [], shown: [], rows: new Map() });
  const [, render] = useState(0);
  // Until another list is read, the rows are those of the one before it.
  if (held.current.list !== list && held.current.polled !== polled)
    held.current = { list, polled, shown: [], rows: new Map() };
  held.current.polled = polled;
  const { shown, rows: before } = held.current;
  const { rows, waiting } = holdRows(shown, before, polled, keyOf);
  held.current.shown = rows.map(keyOf);
  held.current.rows = new Map(rows.map((row) => [keyOf(row), row]));
  const showAll = (): void => {
    held.current = { list, polled, shown: [], rows: new Map() };
    render((count) => count + 1);
  };
  return { rows, waiting, showAll };
}
