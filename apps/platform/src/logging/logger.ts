import { pino, type DestinationStream, type Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { redactFields } from './redaction.js';

export type { Logger } from 'pino';

export interface LoggerOptions {
  /** Which process writes: `api`, `worker`, `standalone` … */
  name: string;
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

/** One line per outcome: a constant dotted message and fields, `logger.info({ event_id, attempt }, 'webhook.attempted')`. */
export function createLogger({
  name,
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
      ? destination
      : {
          write: (line: string) => {
            destination.write(pretty(line));
          },
        };
  return pino(
    {
      name,
      level,
      base: { name, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // Errors stay objects until `formatters.log`, which alone decides what may be written.
      serializers: { err: (error: unknown) => error },
      formatters: { level: (label) => ({ level: label }), log: redactFields },
    },
    stream,
  );
}

function standardOutput(format: LoggerOptions['format']): DestinationStream {
  // Synchronous in a terminal, so that lines keep their order among the output of other writers.
  return format === 'pretty'
    ? process.stdout
    : pino.destination({ dest: process.stdout.fd, sync: false, ...BATCHES });
}
