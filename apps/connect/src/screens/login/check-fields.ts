import type { Field } from '../../session/step.js';
import type { Texts } from '../../texts/texts.js';

/** Validates each field before anything is sent; the service validates again. */
export function checkFields(
  fields: readonly Field[],
  values: Readonly<Record<string, string>>,
  texts: Texts,
): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = values[field.name] ?? '';
      if (value === '') return field.required ? [[field.name, texts.get('field_missing')]] : [];
      return field.pattern === null || fits(value, field.pattern)
        ? []
        : [[field.name, texts.get('field_form')]];
    }),
  );
}

/** A pattern this browser does not support is left to the service. */
function fits(value: string, pattern: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').test(value);
  } catch {
    return true;
  }
}
