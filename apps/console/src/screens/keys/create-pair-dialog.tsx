import { TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { CreatedPair } from '../../../../console-server/src/operations/pairs/pair-shapes.js';
import { useChange } from '../../data/use-change.js';
import { operationIn } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';
import { Confirm } from '../../parts/confirm/confirm.js';
import { TEXTS } from './texts.js';

export function CreatePairDialog({
  context,
  onCreated,
  onClose,
}: {
  context: Context;
  onCreated: (created: CreatedPair) => void;
  onClose: () => void;
}): ReactElement {
  const [label, setLabel] = useState('');
  const { send, isSending, failure } = useChange<CreatedPair>();
  const create = async (): Promise<void> => {
    const body = label.trim() === '' ? {} : { label: label.trim() };
    const sent = await send({ method: 'POST', path: operationIn(context, '/pairs'), body });
    if (sent !== undefined) onCreated(sent.answer);
  };
  return (
    <Confirm
      title={TEXTS.newPair.replace('…', '')}
      action={TEXTS.create}
      isSending={isSending}
      failure={failure}
      onConfirm={() => void create()}
      onClose={onClose}
    >
      <p>{TEXTS.createText}</p>
      <TextInput
        label={TEXTS.label}
        description={TEXTS.labelHint}
        value={label}
        error={failure?.messageOf('label')}
        onChange={({ currentTarget }) => setLabel(currentTarget.value)}
      />
    </Confirm>
  );
}
