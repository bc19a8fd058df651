import { useEffect, useId, useState, type CSSProperties, type ReactElement, type Ref } from 'react';
import { useConnect } from '../context/connect-context.js';
import { keepOnly } from './keep-only.js';

interface CodeFieldProps {
  value: string;
  onChange: (value: string) => void;
  length: number | null;
  digitsOnly: boolean;
  isRefused: boolean;
  describedBy: string;
  ref: Ref<HTMLInputElement>;
}

/**
 * One field, whatever its appearance: pasting, filling from a message, screen readers and corrections
 * work as usual. With a known length it shows a place per character. Codes stay left to right.
 */
export function CodeField({
  value,
  onChange,
  length,
  digitsOnly,
  isRefused,
  describedBy,
  ref,
}: CodeFieldProps): ReactElement {
  const { texts } = useConnect();
  const id = useId();
  const clean = (typed: string): string => {
    const kept = digitsOnly ? typed.replace(/\D/g, '') : typed.replace(/\s/g, '');
    return kept.slice(0, length ?? 64);
  };
  // The field's own caret is transparent, as its text; the place shows it.
  const [caret, setCaret] = useState(0);
  useEffect(() => {
    // The field's own `select` event is silent when only the caret moves.
    const follow = (): void => {
      const { activeElement } = document;
      if (activeElement?.id === id)
        setCaret((activeElement as HTMLInputElement).selectionStart ?? 0);
    };
    document.addEventListener('selectionchange', follow);
    return () => document.removeEventListener('selectionchange', follow);
  }, [id]);
  const hasPlaces = length !== null && length <= 8;
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {texts.get('code_label')}
      </label>
      <div
        className="code"
        dir="ltr"
        style={hasPlaces ? ({ '--code-length': length } as CSSProperties) : undefined}
      >
        {hasPlaces && (
          <div className="code-places" aria-hidden="true">
            {Array.from({ length }, (_, index) => (
              <span
                key={index}
                className={[
                  'code-place',
                  index === Math.min(caret, value.length, length - 1) ? 'is-next' : '',
                  // After the last character there is no place, so the caret follows it.
                  index === length - 1 && caret >= length && value.length === length
                    ? 'is-full'
                    : '',
                ].join(' ')}
              >
                {value[index] ?? ''}
              </span>
            ))}
          </div>
        )}
        <input
          id={id}
          ref={ref}
          className={hasPlaces ? 'code-input' : 'input'}
          name="code"
          type="text"
          value={value}
          inputMode={digitsOnly ? 'numeric' : 'text'}
          autoComplete="one-time-code"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          aria-required="true"
          aria-invalid={isRefused || undefined}
          aria-describedby={describedBy}
          onFocus={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? 0)}
          onChange={({ target }) => {
            keepOnly(clean(target.value), target);
            setCaret(target.selectionStart ?? 0);
            onChange(target.value);
          }}
        />
      </div>
    </div>
  );
}
