/**
 * Control characters, separators of lines, and everything that has no form of its own: bidirectional
 * marks, zero-width characters, variation selectors, tags, halves of surrogate pairs.
 */
const WITHOUT_FORM = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const MAX_LENGTH = 200;

/**
 * Text that a bank or a payer wrote, for a field named `untrusted_…`: on one line, without characters
 * that hide, reorder or erase text, and cut. An assistant may still take it for an instruction, so it
 * stands nowhere else.
 */
export function untrustedText(text: string): string;
export function untrustedText(text: string | null): string | null;
export function untrustedText(text: string | null): string | null {
  if (text === null) return null;
  const line = text.replace(/\s+/gu, ' ').replace(WITHOUT_FORM, '').replace(/ +/g, ' ').trim();
  const characters = [...line];
  return characters.length <= MAX_LENGTH ? line : `${characters.slice(0, MAX_LENGTH).join('')}…`;
}

/** The same for all texts in a value, such as the owners of an account. */
export function untrustedValue(value: unknown): unknown {
  if (typeof value === 'string') return untrustedText(value);
  if (Array.isArray(value)) return value.slice(0, 100).map(untrustedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, untrustedValue(each)]),
  );
}
