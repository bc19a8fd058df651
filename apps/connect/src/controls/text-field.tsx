import { useState, type HTMLInputAutoCompleteAttribute, type ReactElement, type Ref } from 'react';
import { useConnect } from '../context/connect-context.js';
import { LabeledField, type FieldProps } from './labeled-field.js';

interface TextFieldProps extends FieldProps {
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

/** A field that the bank requests. Password managers may fill it (connect 12). */
export function TextField({
  value,
  onChange,
  isRefused = false,
  ref,
  ...labeled
}: TextFieldProps): ReactElement {
  const { texts } = useConnect();
  const [isShown, setShown] = useState(false);
  const { field, problem } = labeled;
  const hides = field.type === 'password' || field.secret;
  const type = hides
    ? isShown
      ? 'text'
      : 'password'
    : field.type === 'number' || field.type === 'select'
      ? 'text'
      : field.type;
  return (
    <LabeledField {...labeled} className={hides ? 'field field-hides' : 'field'}>
      {(attributes) => (
        <>
          <input
            {...attributes}
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
        </>
      )}
    </LabeledField>
  );
}
