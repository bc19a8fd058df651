const HOUR_MS = 3_600_000;

/** The retry period for revoking an unused permission. Source: link-lifecycle 9. */
export const REVOCATION_RETRY_MS = 24 * HOUR_MS;

/** The period for which the record of a deleted link stays readable. Source: link-lifecycle 9. */
export const DELETED_LINK_RETENTION_MS = 90 * 24 * HOUR_MS;
