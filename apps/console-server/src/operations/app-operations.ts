import type { Operation } from './operation.js';

/** The operations below `/apps/:app`. */
export const APP_OPERATIONS: readonly Operation[] = [];
