const QUIET_CAUSES: readonly string[] = ['scheduled', 'provider_webhook'];

/**
 * Whether a completed transactions aggregation sends `transactions.updates_available`: always,
 * except for one that changed no row and was *scheduled*, or caused by a webhook of the source.
 * Source: link-lifecycle 7.5.
 */
export function announcesUpdates(aggregation: {
  causes: readonly string[];
  first: boolean;
  rowsChanged: boolean;
}): boolean {
  return (
    aggregation.first ||
    aggregation.rowsChanged ||
    aggregation.causes.some((cause) => !QUIET_CAUSES.includes(cause))
  );
}
