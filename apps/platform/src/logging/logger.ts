import { pino, type DestinationStream, type Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { currentTraceId } from '../../../../prisma/base/database/work-origin.js';
import { limitLine } from './line-limit.js';
import { redactFields } from './redaction.js';

export type { Logger } from 'pino';

export interface LoggerOptions {
  /** The writing process: `api`, `worker`, `standalone` … Its lines name it as `service`. */
  name: string;
  /** The build of the process. */
  build?: { version: string; build: string };
  level: string;
  format: 'json' | 'pretty';
  destination?: DestinationStream;
}

/**
 * Lines are written in batches: at `minLength` bytes, after `periodicFlush` milliseconds, and at the end of the process.
 * Otherwise each line would be a system call. A pipe accepts at most 4,096 bytes atomically (PIPE_BUF); larger batches of
 * processes that share it would be mixed when the reader is slow.
 */
const BATCHES = { minLength: 3_072, maxWrite: 4_096, periodicFlush: 100 };

/** Keys that the logger itself writes; a line has each key once. */
const OWN_KEYS = new Set(['level', 'time', 'service', 'version', 'build', 'pid', 'name', 'msg']);

/**
 * One line per outcome: a constant dotted message and fields, `logger.info({ event_id, attempt }, 'webhook.attempted')`.
 * Lines of work that a request caused have its `trace_id`.
 */
export function createLogger({
  name,
  build,
  level,
  format,
  destination = standardOutput(format),
}: LoggerOptions): Logger {
  const pretty = prettyFactory({
    colorize: process.stdout.isTTY,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  });
  const stream =
    format === 'json'
      ? limited(destination)
      : {
          write: (line: string) => {
            destination.write(pretty(line));
          },
        };
  return pino(
    {
      level,
      base:
        format === 'json'
          ? { service: name, ...build, pid: process.pid }
          : // How the pretty printer knows it.
            { name, pid: process.pid },
      mixin: traceOfWork,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Errors stay objects until `formatters.log`, the only place that decides what is written.
      serializers: { err: (error: unknown) => error },
      formatters: { level: (label) => ({ level: label }), log: loggable },
    },
    stream,
  );
}

function traceOfWork(): object {
  const traceId = currentTraceId();
  return traceId === null ? {} : { trace_id: traceId };
}

function loggable(fields: object): Record<string, unknown> {
  const redacted = redactFields(fields);
  return Object.keys(redacted).some((key) => OWN_KEYS.has(key))
    ? Object.fromEntries(
        Object.entries(redacted).map(([key, value]) => [
          OWN_KEYS.has(key) ? `field_${key}` : key,
          value,
        ]),
      )
    : redacted;
}

function limited(destination: DestinationStream): DestinationStream & { flushSync(): void } {
  return {
    write: (line) => {
      destination.write(limitLine(line));
    },
    // Before a process exits after a fatal error.
    flushSync: () => {
      if ('flushSync' in destination) (destination.flushSync as () => void)();
    },
  };
}

function standardOutput(format: LoggerOptions['format']): DestinationStream {
  // Synchronous in a terminal, so that lines keep their order among the output of other writers.
  return format === 'pretty'
    ? process.stdout
    : pino.destination({ dest: process.stdout.fd, sync: false, ...BATCHES });
}
