import type {
  ActionMoment,
  TimelineRow,
} from '../../../../../prisma/links/timeline/timeline-row.js';
import { routesForApp } from './routes-for-app.js';

/** The actor of an action that a reader of one app did not do. */
const SOMEONE = 'operator';

/**
 * A row of a timeline as a reader of its app may see it: without the names of operators and of
 * providers that the app may not use.
 * @param reader the name of the reader in the record
 */
export function rowForApp(row: TimelineRow, reader: string): TimelineRow {
  const nameless = <Action extends Pick<ActionMoment, 'actor'>>(action: Action): Action => ({
    ...action,
    actor: action.actor === reader ? reader : SOMEONE,
  });
  switch (row.kind) {
    case 'operator':
      return nameless(row);
    case 'route':
      return { ...row, routes: routesForApp(row.routes) };
    case 'event':
      return {
        ...row,
        deliveries: row.deliveries.map((delivery) => ({
          ...delivery,
          actions: delivery.actions.map(nameless),
        })),
      };
    default:
      return row;
  }
}
