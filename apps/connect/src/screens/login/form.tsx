import { useEffect, useRef, useState, type ReactElement } from 'react';
import { BankMessage } from '../../controls/bank-message.js';
import { EncryptedNote } from '../../controls/encrypted-note.js';
import { ErrorText } from '../../controls/error-text.js';
import { OutsideLink } from '../../controls/outside-link.js';
import { SelectField } from '../../controls/select-field.js';
import type { TextArea } from '../../controls/text-area.js';
import { TextField } from '../../controls/text-field.js';
import type { StepOf } from '../../../../../packages/connect-protocol/src/step.js';
import { useConnect } from '../../context/connect-context.js';
import { Screen } from '../screen.js';
import type { Texts } from '../../texts/texts.js';
import { checkFields } from './check-fields.js';
import { useFilling } from '../../sandbox/use-filling.js';
import { useStepError } from '../../context/use-refusal.js';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export interface FormWords {
  title: string;
  text: string;
  /** Text of the help link. */
  help?: string;
  /** The label of a field, from the one that the bank sends. */
  labelOf: (label: string) => string;
  /** The control of a long text that is pasted. */
  area?: typeof TextArea;
}

/** Fields of the bank: user name and password unless the words name others. */
export function Form({ step, words }: { step: StepOf<'form'>; words?: FormWords }): ReactElement {
  const { flow, texts, names } = useConnect();
  const { fields, purpose } = step;
  const [values, setValues] = useState<Record<string, string>>({});
  const [problems, setProblems] = useState<Record<string, string>>({});
  const controls = useRef(new Map<string, Control>());
  const error = useStepError(step);
  const isTypedAgain = error !== null || step.error?.code === 'interrupted';
  const errorStep = isTypedAgain ? step.id : null;
  useForgetSecrets(step, setValues);
  useEffect(() => {
    // After a refusal the user types again: values that are not secret remain.
    if (errorStep !== null)
      controls.current
        .get((fields.find((field) => field.secret) ?? fields[0])?.name ?? '')
        ?.focus();
  }, [errorStep, fields]);
  useFilling(({ values: filled }) =>
    setValues(Object.fromEntries(fields.map((field, index) => [field.name, filled[index] ?? '']))),
  );

  const submit = (): void => {
    const found = checkFields(fields, values, texts);
    setProblems(found);
    const first = fields.find(({ name }) => found[name] !== undefined);
    if (first !== undefined) return controls.current.get(first.name)?.focus();
    const answers = Object.fromEntries(
      fields.flatMap(({ name }) => (values[name] ? [[name, values[name]]] : [])),
    );
    flow.answer(
      { kind: 'form', values: answers },
      purpose === 'credentials' ? 'submit_credentials' : 'submit_mfa',
    );
  };
  const wording = words ?? signInWords(texts, names.app);
  return (
    <Screen
      title={wording.title}
      subtitle={wording.text}
      primary={{ label: texts.get('continue'), onPress: submit }}
      secondary={
        <>
          <OutsideLink
            href={step.reset_url}
            onFollow={() => flow.events.report('select_reset_password')}
          >
            {texts.get('login_forgotten')}
          </OutsideLink>
          <OutsideLink href={step.help_url} onFollow={() => flow.events.report('select_help')}>
            {wording.help ?? texts.get('login_help')}
          </OutsideLink>
        </>
      }
      note={<EncryptedNote />}
    >
      <BankMessage message={step.message} />
      {fields.map((field) => {
        const shared = {
          field: { ...field, label: wording.labelOf(field.label) },
          value: values[field.name] ?? '',
          problem: problems[field.name] ?? null,
          describedBy: error === null ? '' : 'form-error',
          onChange: (value: string) => setValues((before) => ({ ...before, [field.name]: value })),
          ref: (control: Control | null) => {
            if (control === null) controls.current.delete(field.name);
            else controls.current.set(field.name, control);
          },
        };
        const Area = wording.area;
        if (Area !== undefined)
          return <Area key={field.name} {...shared} isRefused={error !== null} />;
        return field.type === 'select' ? (
          <SelectField key={field.name} {...shared} />
        ) : (
          <TextField key={field.name} {...shared} isRefused={error !== null} />
        );
      })}
      <ErrorText id="form-error">{error}</ErrorText>
    </Screen>
  );
}

/** connect 4: typed values are never sent back; a secret is typed again for each attempt. */
function useForgetSecrets(
  { id, fields }: StepOf<'form'>,
  setValues: (change: (before: Record<string, string>) => Record<string, string>) => void,
): void {
  useEffect(() => {
    const secrets = new Set(fields.filter((field) => field.secret).map((field) => field.name));
    setValues((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !secrets.has(name))),
    );
  }, [id, fields, setValues]);
}

/** User name and password have a label of ours where the sandbox bank asks for them. */
const OUR_LABELS = { 'User name': 'field_user_name', Password: 'field_password' } as const;

const signInWords = (texts: Texts, app: string): FormWords => ({
  title: texts.get('login_title'),
  text: texts.get('login_text', { app }),
  labelOf: (label) =>
    Object.hasOwn(OUR_LABELS, label) ? texts.get(OUR_LABELS[label as 'Password']) : label,
});
