/**
 * Whether a completed transactions aggregation sends `transactions.updates_available`: always,
 * except for a *scheduled* one that changed no row. Source: link-lifecycle 7.5.
 */
export function announcesUpdates(aggregation: {
  causes: readonly string[];
  first: boolean;
  rowsChanged: boolean;
}): boolean {
  return (
    aggregation.first ||
    aggregation.rowsChanged ||
    aggregation.causes.some((cause) => cause !== 'scheduled')
  );
}
