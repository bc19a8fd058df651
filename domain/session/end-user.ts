/**
 * The user in front of Connect, as some sources have to be given (PSD2: whether the user is present). Sealed
 * with the session, erased with it, and never written to a log or a workflow history.
 */
export interface EndUser {
  ipAddress: string;
  userAgent: string;
  /** BCP 47. */
  language: string;
}
