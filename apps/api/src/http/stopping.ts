/**
 * Injection token of the signal that aborts when the process begins to stop: waiting calls then
 * return at once.
 */
export const STOPPING = Symbol('stopping');
