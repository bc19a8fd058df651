import { InvalidArgumentError } from 'commander';
import { RecordedOption } from './recorded-option.js';

const MAX_REASON = 200;

/** The reason of a change, which the record of operators shows. */
export function reasonOption(): RecordedOption {
  const option = new RecordedOption(
    '--reason <text>',
    `why, in one line of up to ${MAX_REASON} characters, for the record of operators`,
  );
  option.argParser(readReason);
  return option;
}

/** @throws InvalidArgumentError */
export function readReason(text: string): string {
  const reason = text.trim();
  if (reason === '' || reason.length > MAX_REASON || /[\p{Cc}\p{Cs}]/u.test(reason))
    throw new InvalidArgumentError(`Must be one line of 1 to ${MAX_REASON} characters.`);
  return reason;
}
