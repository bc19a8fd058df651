import { Runtime } from '@temporalio/worker';
import type { Logger } from '../../../platform/src/logging/logger.js';

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Queues that only have activities are meant to have no workflows. */
const MEANT = /^No workflows registered/;

/** Once in a process: Nest decides when it stops, and what the SDK says goes through the redacting logger. */
export function installRuntime(logger: Logger): void {
  const say =
    (level: Level) =>
    (text: string, meta: Record<string, unknown> = {}) =>
      logger[level]({ text, ...fieldsOf(meta) }, 'temporal.sdk');
  const warn = (text: string, meta?: Record<string, unknown>) =>
    say(MEANT.test(text) ? 'debug' : 'warn')(text, meta);
  // What the SDK calls information is of use to those who look for a fault.
  const levels = {
    trace: say('trace'),
    debug: say('debug'),
    info: say('debug'),
    warn,
    error: say('error'),
  };
  Runtime.install({
    shutdownSignals: [],
    logger: {
      ...levels,
      log: (level, text, meta) => levels[level.toLowerCase() as Level](text, meta),
    },
    telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } } },
  });
}

/** Our names are written with underscores; the logger lets only known ones pass. */
function fieldsOf({ error, ...meta }: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries(meta).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return {
    ...Object.fromEntries(fields),
    ...(error instanceof Error ? { err: error } : {}),
  } as Record<string, unknown>;
}
