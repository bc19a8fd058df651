import type { StepOf } from '../../session/step.js';

interface OptionWords {
  title: 'extension_extend' | 'extension_anew';
  detail: 'extension_extend_detail' | 'extension_anew_detail';
}

/**
 * The question of the service where the user already has a connection to the bank: its own options,
 * in the user's language.
 */
const WORDS: Readonly<Record<string, OptionWords>> = {
  'connect.extend_existing': { title: 'extension_extend', detail: 'extension_extend_detail' },
  'connect.link_anew': { title: 'extension_anew', detail: 'extension_anew_detail' },
};

export function wordsOfOption(id: string): OptionWords | null {
  return WORDS[id] ?? null;
}

/** Asked before the login, and not by the bank. */
export function isExtensionOffer({ options }: StepOf<'choice'>): boolean {
  return options.some(({ id }) => wordsOfOption(id) !== null);
}
