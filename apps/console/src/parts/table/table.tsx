import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import { PlaceLink } from '../../frame/place-link.js';
import { useZone } from '../../frame/preferences.js';
import { TEXTS } from '../texts.js';
import { zoneName } from '../time/format-time.js';
import { useNow } from '../time/use-now.js';
import type { OptionalColumn } from './chosen-columns.js';
import { nextRow } from './next-row.js';
import classes from './table.module.css';

export interface Column<Row> extends OptionalColumn {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Controls beside the cell: the first cell is a link, which holds none. */
  beside?: (row: Row) => ReactNode;
  /** Numbers end where their column ends. */
  isNumber?: boolean;
  /** The place on a card, below 720 px: its first line, the end of it, or a line with its title. */
  card?: 'head' | 'corner' | 'hidden';
  /** A CSS width; the others share the rest. */
  width?: string;
}

export interface TableProps<Row> {
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The address that a row opens, and its name. */
  hrefOf?: (row: Row) => string;
  nameOf?: (row: Row) => string;
  /** True where no column has a time. */
  hasNoTimes?: boolean;
  /** Rows of a newer poll, which wait. */
  waiting?: number;
  onShowWaiting?: () => void;
  /** Addresses of the next and of the first page. */
  olderHref?: string | null;
  newestHref?: string | null;
  olderText?: string;
  newestText?: string;
}

/** Rows in the order of the API, as cards in a narrow window. A row with an address is a link. */
export function Table<Row>({
  name,
  columns,
  rows,
  keyOf,
  hrefOf,
  nameOf,
  hasNoTimes = false,
  waiting = 0,
  onShowWaiting,
  olderHref = null,
  newestHref = null,
  olderText = TEXTS.older,
  newestText = TEXTS.newest,
}: TableProps<Row>): ReactElement {
  const [zone] = useZone();
  const now = useNow();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
    const current = links.indexOf(event.target as HTMLElement);
    if (current < 0) return;
    if (event.key === 'Escape') links[current]?.blur();
    const next = nextRow(event.key, current, links.length);
    if (next === null) return;
    event.preventDefault();
    links[next]?.focus();
  };
  return (
    <div className={classes.frame}>
      {waiting > 0 && (
        <button type="button" className={classes.waiting} onClick={onShowWaiting}>
          {TEXTS.newRows(waiting)}
        </button>
      )}
      {/* As cards, the elements lose their roles in some browsers. */}
      <table className={classes.table} role="table" aria-label={name} onKeyDown={onKeyDown}>
        <colgroup>
          {columns.map(({ id, width }) => (
            <col key={id} {...(width === undefined ? {} : { style: { width } })} />
          ))}
        </colgroup>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ id, title, isNumber }) => (
              <th key={id} role="columnheader" scope="col" data-number={isNumber || undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row" data-link={hrefOf !== undefined || undefined}>
              {columns.map(({ id, title, cell, beside, isNumber, card }, index) => (
                <td
                  key={id}
                  role="cell"
                  data-number={isNumber || undefined}
                  data-card={card ?? 'line'}
                  data-title={title}
                >
                  {index === 0 && hrefOf !== undefined ? (
                    <PlaceLink
                      href={hrefOf(row)}
                      className={classes.link}
                      data-row
                      aria-label={nameOf?.(row)}
                    >
                      {cell(row)}
                    </PlaceLink>
                  ) : (
                    cell(row)
                  )}
                  {beside?.(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className={classes.foot}>
        <span>
          {TEXTS.rowsHere(rows.length)}
          {!hasNoTimes && ` · ${TEXTS.timesIn(zoneName(now, zone))}`}
        </span>
        <span className={classes.pages}>
          {newestHref !== null && <PlaceLink href={newestHref}>{newestText}</PlaceLink>}
          {olderHref !== null && <PlaceLink href={olderHref}>{olderText} ›</PlaceLink>}
        </span>
      </div>
    </div>
  );
}
