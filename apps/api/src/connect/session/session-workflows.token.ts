/** Injection token of `SessionWorkflows`. */
export const SESSION_WORKFLOWS = Symbol('session workflows');
