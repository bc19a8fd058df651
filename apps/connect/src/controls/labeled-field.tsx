import { useId, type ReactElement, type ReactNode } from 'react';
import type { Field } from '../../../../packages/connect-protocol/src/step.js';
import { ErrorText } from './error-text.js';

export interface FieldProps {
  field: Field;
  value: string;
  onChange: (value: string) => void;
  problem: string | null;
  /** An error of the whole form that this field belongs to. */
  describedBy?: string;
}

interface LabeledFieldProps extends Pick<FieldProps, 'field' | 'problem' | 'describedBy'> {
  className?: string;
  /** The control, with the attributes that connect it with its label and its errors. */
  children: (attributes: { id: string; 'aria-describedby': string | undefined }) => ReactNode;
}

/** The label of a field, its control, and the problem of its value. */
export function LabeledField({
  field,
  problem,
  describedBy = '',
  className = 'field',
  children,
}: LabeledFieldProps): ReactElement {
  const id = useId();
  const described = [problem === null ? '' : `${id}-problem`, describedBy]
    .filter((part) => part !== '')
    .join(' ');
  return (
    <div className={className}>
      <label className="field-label" htmlFor={id} dir="auto">
        {field.label}
      </label>
      {children({ id, 'aria-describedby': described || undefined })}
      {problem !== null && <ErrorText id={`${id}-problem`}>{problem}</ErrorText>}
    </div>
  );
}
