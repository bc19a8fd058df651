import type { ReactElement } from 'react';
import type { StepOf } from '../../../../../packages/connect-protocol/src/step.js';
import { useConnect } from '../../context/connect-context.js';
import { TextArea } from '../../controls/text-area.js';
import { Form } from '../login/form.js';

/**
 * The form of a SimpleFIN server, whose users have a setup token instead of a name and a password:
 * in the words of this app, in the user's language.
 */
export function SetupToken({ step }: { step: StepOf<'form'> }): ReactElement {
  const { texts, names } = useConnect();
  return (
    <Form
      step={step}
      words={{
        title: texts.get('setup_token_title'),
        text: texts.get('setup_token_text', names),
        help: texts.get('setup_token_create'),
        labelOf: () => texts.get('setup_token_label'),
        area: TextArea,
      }}
    />
  );
}
