import { useId, type ReactElement, type Ref } from 'react';
import type { Field } from '../../../../packages/connect-protocol/src/step.js';
import { useConnect } from '../context/connect-context.js';
import { ErrorText } from './error-text.js';

interface SelectFieldProps {
  field: Field;
  value: string;
  onChange: (value: string) => void;
  problem: string | null;
  describedBy?: string;
  ref?: Ref<HTMLSelectElement>;
}

export function SelectField({
  field,
  value,
  onChange,
  problem,
  describedBy,
  ref,
}: SelectFieldProps): ReactElement {
  const { texts } = useConnect();
  const id = useId();
  return (
    <div className="field">
      <label className="field-label" htmlFor={id} dir="auto">
        {field.label}
      </label>
      <select
        id={id}
        ref={ref}
        className="input"
        name={field.name}
        value={value}
        required={field.required}
        aria-invalid={problem !== null || undefined}
        aria-describedby={
          [problem === null ? '' : `${id}-problem`, describedBy ?? '']
            .filter((part) => part !== '')
            .join(' ') || undefined
        }
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">{texts.get('select_empty')}</option>
        {field.options?.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {problem !== null && <ErrorText id={`${id}-problem`}>{problem}</ErrorText>}
    </div>
  );
}
