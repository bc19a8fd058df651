import { useEffect, useRef, useState, type ReactElement } from 'react';
import { BankMessage } from '../../controls/bank-message.js';
import { EncryptedNote } from '../../controls/encrypted-note.js';
import { ErrorText } from '../../controls/error-text.js';
import { TextButton } from '../../controls/text-button.js';
import { TextField } from '../../controls/text-field.js';
import type { Field, StepOf } from '../../../../../packages/connect-protocol/src/step.js';
import { useConnect } from '../../context/connect-context.js';
import { Screen } from '../screen.js';
import { labelIn } from '../../texts/known-labels.js';
import { useFilling } from '../../sandbox/use-filling.js';
import { useStepError } from '../../context/use-refusal.js';

/** connect 12: images of banks are data URLs only. */
const IMAGE = /^data:image\/(?:png|jpeg);base64,/;

/**
 * A picture of the bank and a field for its text; a description for people who cannot see it.
 */
export function Picture({ step }: { step: StepOf<'image'> }): ReactElement {
  const { flow, texts, names } = useConnect();
  const field = useRef<HTMLInputElement>(null);
  const [answer, setAnswer] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [isDescribed, setDescribed] = useState(false);
  const error = useStepError(step);
  const isRefused = error !== null;
  useEffect(() => {
    setAnswer('');
    if (isRefused) field.current?.focus();
  }, [step.id, isRefused]);
  useFilling(({ values: [filled = ''] }) => setAnswer(filled));
  const submit = (): void => {
    setMissing(answer === '');
    if (answer === '') field.current?.focus();
    else flow.answer({ kind: 'image', answer }, 'submit_mfa');
  };
  return (
    <Screen
      title={texts.get('picture_title')}
      subtitle={texts.get('questions_text', names)}
      primary={{ label: texts.get('continue'), onPress: submit }}
      secondary={
        step.description !== null &&
        !isDescribed && (
          <TextButton onPress={() => setDescribed(true)}>
            {texts.get('picture_describe')}
          </TextButton>
        )
      }
      note={<EncryptedNote />}
    >
      <BankMessage message={step.message} />
      <div className="picture">
        {IMAGE.test(step.image) && <img src={step.image} alt={texts.get('picture_alt', names)} />}
      </div>
      <div role="status">
        {isDescribed && (
          <p className="description" dir="auto">
            {step.description}
          </p>
        )}
      </div>
      <TextField
        field={answerField(labelIn(texts, step.label))}
        value={answer}
        onChange={setAnswer}
        problem={isMissing ? texts.get('field_missing') : null}
        describedBy={isRefused ? 'picture-error' : ''}
        isRefused={isRefused}
        ref={field}
      />
      <ErrorText id="picture-error">{error}</ErrorText>
    </Screen>
  );
}

function answerField(label: string): Field {
  return {
    name: 'answer',
    label,
    type: 'text',
    required: true,
    secret: false,
    autocomplete: 'off',
    max_length: 100,
    pattern: null,
    options: null,
  };
}
