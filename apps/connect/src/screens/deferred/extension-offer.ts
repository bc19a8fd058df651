import type { StepOf } from '../../../../../packages/connect-protocol/src/step.js';

interface OptionWords {
  title: 'extension_extend' | 'extension_separate';
  detail: 'extension_extend_detail' | 'extension_separate_detail';
}

/**
 * The question of the service where the user already has a connection to the bank: its own options,
 * in the user's language.
 */
const WORDS: Readonly<Record<string, OptionWords>> = {
  'connect.extend_existing': { title: 'extension_extend', detail: 'extension_extend_detail' },
  'connect.link_anew': { title: 'extension_separate', detail: 'extension_separate_detail' },
};

export function wordsOfOption(id: string): OptionWords | null {
  return WORDS[id] ?? null;
}

/** Asked before the login, and not by the bank. */
export function isExtensionOffer({ options }: StepOf<'choice'>): boolean {
  return options.some(({ id }) => wordsOfOption(id) !== null);
}
