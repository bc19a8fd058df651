import type { AppBounds } from '../../../../domain/limits/app-bounds.js';
import type { Settings } from './settings.js';

type BoundSettings = Pick<
  Settings,
  | 'linksPerApp'
  | 'rowsPerApp'
  | 'importedBytesPerDay'
  | 'sessionsPerDay'
  | 'sandboxCallsPerDay'
  | 'testEventsPerDay'
  | 'replaysPerDay'
  | 'idempotencyRecordsPerDay'
  | 'accessTokensPerDay'
  | 'simplefinTokensPerDay'
>;

/** The bounds of apps without limits of their own, as the settings have them. */
export function boundsOf(settings: BoundSettings): AppBounds {
  return {
    links: settings.linksPerApp,
    rows: settings.rowsPerApp,
    imported_bytes: settings.importedBytesPerDay,
    sessions: settings.sessionsPerDay,
    sandbox_calls: settings.sandboxCallsPerDay,
    test_events: settings.testEventsPerDay,
    replays: settings.replaysPerDay,
    idempotency_records: settings.idempotencyRecordsPerDay,
    access_tokens: settings.accessTokensPerDay,
    simplefin_tokens: settings.simplefinTokensPerDay,
  };
}
