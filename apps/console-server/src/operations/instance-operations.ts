import type { Operation } from './operation.js';

/** The operations below `/instance`. */
export const INSTANCE_OPERATIONS: readonly Operation[] = [];
