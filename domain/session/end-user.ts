/**
 * The user in front of Connect. Some sources require these facts (PSD2: whether the user is
 * present). Sealed with the session, then with the permission until the fetches that the login
 * requested have ended; never written to a log or a workflow history.
 */
export interface EndUser {
  ipAddress: string;
  userAgent: string;
  /** BCP 47. */
  language: string;
}
