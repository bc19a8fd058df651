/** Placeholder for input of a workflow or an activity that its worker refuses. Part of the workflow bundle. */
export const REFUSED_INPUT = 'input refused by the payload codec';

/** Type of the failure that refused input causes. */
export const INPUT_REFUSED = 'InputRefused';

/**
 * A global that the worker sets before the bundle: every failure that a workflow reads was encrypted by a worker. Missing
 * where histories without a codec are replayed.
 */
export const AUTHENTIC_FAILURES_FLAG = '__tributary_authentic_failures__';

export const isRefused = (args: readonly unknown[]): boolean => args.includes(REFUSED_INPUT);
