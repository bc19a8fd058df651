import { useEffect, useRef, useState, type ReactElement } from 'react';
import { BankMessage } from '../../controls/bank-message.js';
import { CodeField } from '../../controls/code-field.js';
import { EncryptedNote } from '../../controls/encrypted-note.js';
import { ErrorText } from '../../controls/error-text.js';
import { TextButton } from '../../controls/text-button.js';
import { readTimestamp } from '../../flow/deadline.js';
import type { StepOf } from '../../../../../packages/connect-protocol/src/step.js';
import { useAnnounce } from '../../context/announcer.js';
import { useConnect } from '../../context/connect-context.js';
import { Screen } from '../screen.js';
import { clockTime, spokenTime, useCountdown } from '../../context/use-countdown.js';
import type { Naming } from '../../flow/problems.js';
import type { Texts } from '../../texts/texts.js';
import { masked } from '../../texts/masked.js';
import { useFilling } from '../../sandbox/use-filling.js';
import { useStepError } from '../../context/use-refusal.js';

/** The code field: the target of the code, its validity, and a button for a new one. */
export function Code({ step }: { step: StepOf<'otp'> }): ReactElement {
  const { flow, texts, names } = useConnect();
  const locale = texts.formatLocale;
  const announce = useAnnounce();
  const field = useRef<HTMLInputElement>(null);
  const [value, setValue] = useState('');
  const [isMissing, setMissing] = useState(false);
  const asksForNew = useRef(false);
  const refused = useStepError(step);
  const error = refused ?? (isMissing ? texts.get('field_missing') : null);
  const validFor = useCountdown(
    step.expires_at === null ? null : readTimestamp(step.expires_at),
    'down',
  );
  const resendIn = useCountdown(useResendMoment(step));
  const isRefused = refused !== null;
  useEffect(() => {
    setValue('');
    setMissing(false);
    if (asksForNew.current && !isRefused) announce(texts.get('code_resent'));
    if (isRefused) field.current?.focus();
    asksForNew.current = false;
  }, [step.id, isRefused, announce, texts]);
  useFilling(({ values: [code = ''] }) => setValue(code));

  const submit = (): void => {
    if (value !== '') return flow.answer({ kind: 'otp', code: value }, 'submit_otp');
    setMissing(true);
    field.current?.focus();
  };
  const resend = (): void => {
    asksForNew.current = true;
    flow.answer({ kind: 'otp', resend: true });
  };
  return (
    <Screen
      title={texts.get('code_title')}
      subtitle={whereTo(step, texts, names)}
      primary={{ label: texts.get('continue'), onPress: submit }}
      secondary={
        resendIn !== null && (
          <TextButton onPress={resend} isOff={resendIn > 0}>
            {resendIn > 0
              ? texts.get('code_resend_in', { time: clockTime(resendIn, locale) })
              : texts.get('code_resend')}
          </TextButton>
        )
      }
      note={<EncryptedNote />}
    >
      <BankMessage message={step.message} />
      <CodeField
        value={value}
        onChange={(typed) => {
          setValue(typed);
          setMissing(false);
        }}
        length={step.length}
        digitsOnly={step.digits_only}
        isRefused={error !== null}
        describedBy="code-hint code-error"
        ref={field}
      />
      <p className="hint" id="code-hint">
        {step.length !== null && (
          <span>
            {texts.get(step.digits_only ? 'code_digits' : 'code_characters', {
              count: step.length,
            })}
          </span>
        )}
        {validFor !== null && (
          <span
            role="timer"
            aria-label={texts.get('code_valid', { time: spokenTime(validFor, locale) })}
          >
            {texts.get('code_valid', { time: clockTime(validFor, locale) })}
          </span>
        )}
      </p>
      <ErrorText id="code-error">{error}</ErrorText>
    </Screen>
  );
}

/**
 * The time at which a new code may be requested: counted from the arrival of the step. Null = this bank sends no
 * second one.
 */
function useResendMoment({ id, resend_after_seconds: seconds }: StepOf<'otp'>): number | null {
  const { now } = useConnect();
  const [shown, setShown] = useState(() => ({ id, at: now() }));
  if (shown.id !== id) setShown({ id, at: now() });
  return seconds === null ? null : shown.at + seconds * 1000;
}

function whereTo({ channel, target }: StepOf<'otp'>, texts: Texts, names: Naming): string {
  if (channel === 'app' || channel === 'other') return texts.get(`code_${channel}`, names);
  return target === null
    ? texts.get(`code_${channel}`, names)
    : texts.get(`code_${channel}_to`, { bank: names.bank, target: masked(target) });
}
