import type { ReactElement } from 'react';
import type { StepOf } from '../../../../../packages/connect-protocol/src/step.js';
import { useConnect } from '../../context/connect-context.js';
import { labelIn } from '../../texts/known-labels.js';
import { Form } from '../login/form.js';

/** Questions of the bank, or further details that it needs: never the first screen of a session. */
export function Questions({ step }: { step: StepOf<'form'> }): ReactElement {
  const { texts, names } = useConnect();
  const labelOf = (label: string): string => labelIn(texts, label);
  return (
    <Form
      step={step}
      words={
        step.purpose === 'questions'
          ? {
              title: texts.get('questions_title', { count: step.fields.length }),
              text: texts.get('questions_text', names),
              labelOf,
            }
          : { title: texts.get('details_title'), text: texts.get('details_text', names), labelOf }
      }
    />
  );
}
