const HOUR_MS = 3_600_000;

/** How long a permission that nobody uses any more is tried to be ended at the bank. Source: link-lifecycle 9. */
export const REVOKE_FOR_MS = 24 * HOUR_MS;

/** How long the bare record of a deleted link can be read. Source: link-lifecycle 9. */
export const DELETED_READABLE_MS = 90 * 24 * HOUR_MS;
