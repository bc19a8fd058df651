import { APP_OPERATIONS } from './app-operations.js';
import { INSTANCE_OPERATIONS } from './instance-operations.js';
import type { Operation } from './operation.js';

/** Every operation of the console; one line for each topic is in the two lists. */
export const OPERATIONS: readonly Operation[] = [...APP_OPERATIONS, ...INSTANCE_OPERATIONS];
