/**
 * Injection token of the signal that aborts when the process begins to stop: waiting calls then
 * return immediately.
 */
export const STOPPING = Symbol('stopping');

/**
 * Injection token of the signal that aborts when the process announces that it is about to stop. It still serves every
 * request until STOP_DELAY has passed.
 */
export const STOP_ANNOUNCED = Symbol('stop announced');
