import type { KeyboardEvent, ReactElement, Ref } from 'react';
import { keepOnly } from './keep-only.js';
import { LabeledField, type FieldProps } from './labeled-field.js';

/**
 * A long text that is pasted, in full view: people compare its end with the one they copied. Line
 * breaks and blanks come from copying and are dropped; Enter sends, as in a field of one line.
 */
export function TextArea({
  value,
  onChange,
  isRefused = false,
  ref,
  ...labeled
}: FieldProps & { isRefused?: boolean; ref?: Ref<HTMLTextAreaElement> }): ReactElement {
  const { field, problem } = labeled;
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  return (
    <LabeledField {...labeled}>
      {(attributes) => (
        <textarea
          {...attributes}
          ref={ref}
          className="input input-area"
          name={field.name}
          rows={4}
          dir="ltr"
          value={value}
          required={field.required}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          aria-invalid={problem !== null || isRefused || undefined}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            keepOnly(target.value.replace(/\s+/g, '').slice(0, field.max_length), target);
            onChange(target.value);
          }}
        />
      )}
    </LabeledField>
  );
}
