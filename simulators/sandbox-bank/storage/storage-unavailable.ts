/** The database cannot be reached or does not respond in time; retrying later may help. */
export class StorageUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database of the sandbox bank is not available.', { cause });
    this.name = 'StorageUnavailable';
  }
}

/**
 * SQLSTATE classes about the state of the server, not about the statement: connection, resources,
 * operator, system.
 */
const PASSING_CLASSES = ['08', '53', '57', '58'];
/** Serialization failure, deadlock, lock not available; tables not created yet. */
const PASSING_CODES = ['40001', '40P01', '55P03', '25P03', '3D000', '3F000', '42P01'];

/** True unless PostgreSQL reported that the statement itself is wrong. */
export function isStorageUnavailable(error: unknown): boolean {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
  const isSqlState = code !== null && /^[0-9A-Z]{5}$/.test(code);
  if (!isSqlState) return true;
  return PASSING_CODES.includes(code) || PASSING_CLASSES.includes(code.slice(0, 2));
}
