import { NativeSelect, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type {
  LinkRoute,
  MovedLink,
} from '../../../../console-server/src/operations/links/link-answers.js';
import { useChange } from '../../data/use-change.js';
import { useRead } from '../../data/use-read.js';
import { operationIn } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';
import { Confirm } from '../../parts/confirm/confirm.js';
import { TEXTS } from './texts.js';

/** The providers of earlier choices are offered: they reach the bank. */
export function MoveDialog({
  context,
  linkId,
  onDone,
  onClose,
}: {
  context: Context;
  linkId: string;
  /** It was accepted; the text tells what happens now. */
  onDone: (text: string) => void;
  onClose: () => void;
}): ReactElement {
  const path = operationIn(context, `/links/${encodeURIComponent(linkId)}`);
  const { data } = useRead<LinkRoute>(`${path}/route`);
  const known = new Set(
    (data?.decisions ?? []).flatMap(({ routes }) => routes.map(({ provider }) => provider)),
  );
  const [provider, setProvider] = useState('');
  const [reason, setReason] = useState('');
  const chosen = provider || [...known][0] || '';
  const { send, isSending, failure } = useChange<MovedLink>();
  const move = async (): Promise<void> => {
    const sent = await send({
      method: 'POST',
      path: `${path}/move`,
      body: { provider: chosen, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) },
    });
    if (sent !== undefined) onDone(TEXTS.moved(sent.answer.provider));
  };
  return (
    <Confirm
      title={TEXTS.askMove}
      action={TEXTS.move}
      isSending={isSending}
      failure={failure}
      onConfirm={() => void move()}
      onClose={onClose}
    >
      <p>{TEXTS.askMoveText}</p>
      <NativeSelect
        label={TEXTS.moveTo}
        data={[...known]}
        value={chosen}
        onChange={({ currentTarget }) => setProvider(currentTarget.value)}
      />
      <TextInput
        label={TEXTS.reason}
        description={TEXTS.reasonHint}
        maxLength={200}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </Confirm>
  );
}
