import { confirm, isCancel, password, text } from '@clack/prompts';
import { CommandFailure } from '../../terminal/src/command-failure.js';

/** Questions to a person; without a terminal they fail and name the option to use. */
export class Prompts {
  constructor(readonly isInteractive: boolean) {}

  async text(message: string, option: string, initial?: string): Promise<string> {
    this.requireTerminal(option);
    return answered<string>(
      await text({
        message,
        ...(initial === undefined ? {} : { placeholder: initial, defaultValue: initial }),
        validate: (value) =>
          (value ?? '').trim() === '' && initial === undefined ? 'Please type a value.' : undefined,
      }),
    );
  }

  /** A secret, which is not shown. */
  async secret(message: string, option: string): Promise<string> {
    this.requireTerminal(option);
    return answered<string>(
      await password({
        message,
        validate: (value) => ((value ?? '') === '' ? 'Please type the secret.' : undefined),
      }),
    );
  }

  /** @param option answers it without a terminal */
  async confirm(message: string, option: string): Promise<void> {
    this.requireTerminal(option);
    const isConfirmed = answered<boolean>(await confirm({ message, initialValue: false }));
    if (!isConfirmed)
      throw new CommandFailure('Nothing was done.', `Confirm it, or pass ${option}.`);
  }

  private requireTerminal(option: string): void {
    if (!this.isInteractive)
      throw new CommandFailure('Input is needed, but this is not a terminal.', `Pass ${option}.`);
  }
}

function answered<T extends string | boolean>(answer: T | symbol): T {
  if (isCancel(answer)) throw new CommandFailure('Nothing was done.', 'Run the command again.');
  return answer as T;
}
