import {
  useId,
  useState,
  type HTMLInputAutoCompleteAttribute,
  type ReactElement,
  type Ref,
} from 'react';
import type { Field } from '../session/step.js';
import { useConnect } from '../context/connect-context.js';
import { ErrorText } from './error-text.js';

interface TextFieldProps {
  field: Field;
  value: string;
  onChange: (value: string) => void;
  problem: string | null;
  /** An error of the whole form that this field belongs to. */
  describedBy?: string;
  isRefused?: boolean;
  ref?: Ref<HTMLInputElement>;
}

const INPUT_MODES = {
  text: 'text',
  password: 'text',
  email: 'email',
  tel: 'tel',
  number: 'numeric',
} as const;

/** A field the bank asks for. Password managers may fill it (connect 12). */
export function TextField({
  field,
  value,
  onChange,
  problem,
  describedBy,
  isRefused = false,
  ref,
}: TextFieldProps): ReactElement {
  const { texts } = useConnect();
  const [isShown, setShown] = useState(false);
  const id = useId();
  const hides = field.type === 'password' || field.secret;
  const type = hides
    ? isShown
      ? 'text'
      : 'password'
    : field.type === 'number' || field.type === 'select'
      ? 'text'
      : field.type;
  return (
    <div className={hides ? 'field field-hides' : 'field'}>
      <label className="field-label" htmlFor={id} dir="auto">
        {field.label}
      </label>
      <input
        id={id}
        ref={ref}
        className="input"
        name={field.name}
        type={type}
        dir="auto"
        value={value}
        maxLength={field.max_length}
        required={field.required}
        inputMode={field.type === 'select' ? undefined : INPUT_MODES[field.type]}
        autoComplete={field.autocomplete as HTMLInputAutoCompleteAttribute}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        aria-invalid={problem !== null || isRefused || undefined}
        aria-describedby={
          [problem === null ? '' : `${id}-problem`, describedBy ?? '']
            .filter((part) => part !== '')
            .join(' ') || undefined
        }
        onChange={(event) => onChange(event.target.value)}
      />
      {/* After the field, though it is shown above it: Tab leads from the user name to the password. */}
      {hides && (
        <button
          type="button"
          className="show-button"
          aria-label={texts.get(isShown ? 'hide_field' : 'show_field', { field: field.label })}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {texts.get(isShown ? 'hide' : 'show')}
        </button>
      )}
      {problem !== null && <ErrorText id={`${id}-problem`}>{problem}</ErrorText>}
    </div>
  );
}
