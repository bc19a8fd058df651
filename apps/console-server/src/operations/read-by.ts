import { InvalidArgumentError } from 'commander';
import { z } from 'zod';

/** A text that a parser of the operator's commands reads, so that both doors accept the same. */
export function readBy<Value>(parse: (text: string) => Value) {
  return z.string().transform((text, context): Value => {
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
      return z.NEVER;
    }
  });
}
