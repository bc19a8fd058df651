import type { ReactElement, Ref } from 'react';
import { useConnect } from '../context/connect-context.js';
import { LabelledField, type FieldProps } from './labelled-field.js';

export function SelectField({
  value,
  onChange,
  ref,
  ...labelled
}: FieldProps & { ref?: Ref<HTMLSelectElement> }): ReactElement {
  const { texts } = useConnect();
  const { field, problem } = labelled;
  return (
    <LabelledField {...labelled}>
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
    </LabelledField>
  );
}
