import { Runtime } from '@temporalio/worker';
import type { Logger } from '../../../platform/src/logging/logger.js';

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Warnings about queues without workflows are expected for queues that only have activities. */
const MEANT = /^No workflows registered/;

/** The address of the SDK's own metrics. */
export interface SdkMetrics {
  host: string;
  /** Undefined = nowhere. */
  port: number | undefined;
}

/** Once in a process: Nest decides its stop, and the SDK's messages go through the redacting logger. */
export function installRuntime(logger: Logger, { host, port }: SdkMetrics): void {
  const say =
    (level: Level) =>
    (text: string, meta: Record<string, unknown> = {}) =>
      logger[level]({ text, ...fieldsOf(meta) }, 'temporal.sdk');
  const warn = (text: string, meta?: Record<string, unknown>) =>
    say(MEANT.test(text) ? 'debug' : 'warn')(text, meta);
  // The SDK's information messages help only in debugging.
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
    telemetryOptions: {
      logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } },
      ...(port === undefined
        ? {}
        : { metrics: { prometheus: { bindAddress: socketAddress(host, port) } } }),
    },
  });
}

/** The SDK accepts an address, not a name. */
function socketAddress(host: string, port: number): string {
  const address = host === 'localhost' ? '127.0.0.1' : host;
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
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
