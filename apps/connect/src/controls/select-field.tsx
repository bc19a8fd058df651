import type { ReactElement, Ref } from 'react';
import { useConnect } from '../context/connect-context.js';
import { LabeledField, type FieldProps } from './labeled-field.js';

export function SelectField({
  value,
  onChange,
  ref,
  ...labeled
}: FieldProps & { ref?: Ref<HTMLSelectElement> }): ReactElement {
  const { texts } = useConnect();
  const { field, problem } = labeled;
  return (
    <LabeledField {...labeled}>
      {(attributes) => (
        <select
          {...attributes}
          ref={ref}
          className="input"
          name={field.name}
          value={value}
          required={field.required}
          aria-invalid={problem !== null || undefined}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">{texts.get('select_empty')}</option>
          {field.options?.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </LabeledField>
  );
}
