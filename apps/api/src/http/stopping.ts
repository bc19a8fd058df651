/** Injection token of the signal that fires when the process begins to stop: whoever waits answers at once. */
export const STOPPING = Symbol('stopping');
