import './late-memory-reducer.js';

// Not beside it: the modules are loaded before any of them runs, and the first full collection, after which the main
// thread plans when to reduce its memory, comes meanwhile.
await import('./run-worker.js');
