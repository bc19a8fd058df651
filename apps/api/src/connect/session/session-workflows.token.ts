/** Injection token of the port to the workflows of sessions. */
export const SESSION_WORKFLOWS = Symbol('session workflows');
