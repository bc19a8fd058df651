import 'reflect-metadata';

// Compiled, because Temporal loads the failure converter of a worker as JavaScript.
const DIST = new URL('../../../dist/', import.meta.url).href;

export const { WorkerModule } = (await import(
  `${DIST}apps/worker/src/worker.module.js`
)) as typeof import('../../../apps/worker/src/worker.module.js');
export const { WorkerProcess } = (await import(
  `${DIST}apps/worker/src/worker-process.js`
)) as typeof import('../../../apps/worker/src/worker-process.js');
export const { KeysRefused } = (await import(
  `${DIST}domain/errors/provider-failure.js`
)) as typeof import('../../../domain/errors/provider-failure.js');
