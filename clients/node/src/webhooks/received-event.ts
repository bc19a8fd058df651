import type {
  LinkPermissionExpiring,
  LinkProductRefresh,
  LinkSessionFinished,
  LinkStateChanged,
  TransactionsUpdatesAvailable,
} from '../generated/types.js';

/**
 * An event as a receiver gets it; `webhook_event` tells the kinds apart. A newer service sends further
 * kinds and members: accept them.
 */
export type ReceivedEvent =
  | LinkStateChanged
  | LinkProductRefresh
  | TransactionsUpdatesAvailable
  | LinkPermissionExpiring
  | LinkSessionFinished;
