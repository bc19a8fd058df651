import { setFlagsFromString } from 'node:v8';

// Imported before anything else: it counts from the next full collection, in every thread.

/**
 * V8's memory reducer (`src/heap/memory-reducer.cc`) looks 8 s after a full collection whether another could give memory
 * back, and takes threads for idle that only wait for the next webhook: some 100 ms of the two cores beside those under way.
 * Measured: docs/performance.md.
 */
const START_DELAY_MS = 3_600_000;

setFlagsFromString(`--gc-memory-reducer-start-delay-ms=${START_DELAY_MS}`);
