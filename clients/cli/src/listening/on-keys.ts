import type { CommandContext } from '../cli-command.js';
import { explainFailure } from '../explain-failure.js';

const CTRL_C = '\u0003';

/** Runs an action for each key that is pressed at a terminal; without one it does nothing. */
export function onKeys(
  { stdin, prompts, output }: CommandContext,
  actions: Readonly<Record<string, () => Promise<void>>>,
): { close(): void } {
  if (!prompts.isInteractive) return { close: () => undefined };
  const press = (data: Buffer): void => {
    for (const key of data.toString('utf8')) {
      // In raw mode the terminal sends the key in place of the signal.
      if (key === CTRL_C) process.kill(process.pid, 'SIGINT');
      else if (Object.hasOwn(actions, key))
        actions[key]?.().catch((error: unknown) => output.note(explainFailure(error).cause));
    }
  };
  stdin.setRawMode(true);
  stdin.resume();
  stdin.on('data', press);
  return {
    close: () => {
      stdin.off('data', press);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
