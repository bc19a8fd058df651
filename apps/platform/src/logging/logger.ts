import { pino, type DestinationStream, type Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { redactFields } from './redaction.js';

export type { Logger } from 'pino';

export interface LoggerOptions {
  /** The process that writes: `api`, `worker`, `standalone` … */
  name: string;
  level: string;
  format: 'json' | 'pretty';
  destination?: DestinationStream;
}

/**
 * Lines are buffered until this size or this many milliseconds, and flushed at exit, because each
 * write is a system call. Writes to a pipe are atomic only up to 4,096 bytes (PIPE_BUF); larger
 * ones from several threads could interleave when the reader is slow.
 */
const BUFFERING = { minLength: 3_072, maxWrite: 4_096, periodicFlush: 100 };

/**
 * Writes one line per outcome: a constant dotted message and fields, `logger.info({ event_id,
 * attempt }, 'webhook.attempted')`.
 */
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
      // Errors stay objects until `formatters.log`, the only place that decides what may be
      // written.
      serializers: { err: (error: unknown) => error },
      formatters: { level: (label) => ({ level: label }), log: redactFields },
    },
    stream,
  );
}

/**
 * Flushes buffered lines before a thread ends; otherwise only the exit of the process does. Twice,
 * because a flush during a write waits only for that write.
 */
export async function flushLog(logger: Logger): Promise<void> {
  for (let round = 0; round < 2; round += 1)
    await new Promise<void>((resolve) => logger.flush(() => resolve()));
}

function standardOutput(format: LoggerOptions['format']): DestinationStream {
  // Synchronous for readability, because other code also writes to this stream.
  return format === 'pretty'
    ? process.stdout
    : pino.destination({ dest: process.stdout.fd, sync: false, ...BUFFERING });
}
