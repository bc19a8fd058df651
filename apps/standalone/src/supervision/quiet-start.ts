import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A line of the pretty format, with or without colors. */
// eslint-disable-next-line no-control-regex -- colors begin with one
const BELOW_WARNING = /^\[[\d:.]+\] (?:\u001b\[\d+m)?(?:INFO|DEBUG|TRACE)\b/;

interface Terminal {
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
}

/** Passes on what parts write for a person. Until the service is ready, only warnings, errors and plain text. */
export class QuietStart {
  private isReady = false;

  constructor(private readonly terminal: Terminal = process) {}

  ready(): void {
    this.isReady = true;
  }

  /** @param part with pipes as its output */
  passOn(part: ChildProcess): void {
    for (const [from, to] of [
      [part.stdout, this.terminal.stdout],
      [part.stderr, this.terminal.stderr],
    ] as const) {
      if (from === null) continue;
      createInterface({ input: from }).on('line', (line) => {
        if (this.isReady || !BELOW_WARNING.test(line)) to.write(`${line}\n`);
      });
    }
  }
}
