import { setFlagsFromString } from 'node:v8';

// Imported before anything else: every thread that is started later takes it over, those of first attempts and Temporal's.

/**
 * V8's memory reducer takes a thread for idle that allocates less than 1 MB a second, and any that had no full collection
 * for 100 s: 8 s after the last one it begins another, which costs the two cores some 100 ms beside the webhooks under way.
 * What it gives back to the system is a few MB. `MemoryReducer` in V8, `src/heap/memory-reducer.cc`; measured:
 * docs/performance.md.
 */
const START_DELAY_MS = 3_600_000;

setFlagsFromString(`--gc-memory-reducer-start-delay-ms=${START_DELAY_MS}`);
