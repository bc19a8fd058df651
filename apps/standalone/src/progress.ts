import ora from 'ora';
import type { Logger } from '../../platform/src/logging/logger.js';

/** Shows progress to the person at the terminal. */
export interface Progress {
  /** Reports a finished step. */
  done(line: string): void;
  /** Shows a step as in progress until its work ends. */
  during<T>(line: string, work: Promise<T>): Promise<T>;
}

const STILL_EVERY_MS = 15_000;

export function createProgress(stream: NodeJS.WriteStream): Progress {
  // A terminal of unknown size has 0 columns: a spinner would erase lines without end.
  return stream.isTTY && stream.columns > 0 ? spinnerProgress(stream) : lineProgress(stream);
}

/** Prints nothing; for tests. */
export const silentProgress: Progress = { done: () => undefined, during: (_line, work) => work };

/** For a log: steps in progress, and finished steps. */
export const logProgress = (logger: Logger): Progress => ({
  // Log: with `LOG_FORMAT=json`, outside a terminal.
  done: (text) => logger.info({ text }, 'standalone.progress'),
  during: (text, work) => {
    logger.info({ text }, 'standalone.progress');
    return work;
  },
});

const spinnerProgress = (stream: NodeJS.WriteStream): Progress => ({
  done: (line) => {
    stream.write(`  ${line}\n`);
  },
  during: async (line, work) => {
    // Ctrl-C belongs to the service, not to the spinner.
    const spinner = ora({ text: line, stream, indent: 2, discardStdin: false }).start();
    try {
      return await work;
    } finally {
      spinner.stop();
    }
  },
});

/** A line for each step, and further ones while it is in progress. */
export const lineProgress = (stream: NodeJS.WritableStream): Progress => ({
  done: (line) => {
    stream.write(`  ${line}\n`);
  },
  during: async (line, work) => {
    const started = Date.now();
    stream.write(`  ${line} …\n`);
    const timer = setInterval(() => {
      stream.write(
        `  ${line} … still going after ${Math.round((Date.now() - started) / 1000)} s\n`,
      );
    }, STILL_EVERY_MS);
    try {
      return await work;
    } finally {
      clearInterval(timer);
    }
  },
});
