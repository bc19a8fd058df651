import { NativeSelect } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type {
  RotatedSecret,
  ShownPair,
} from '../../../../console-server/src/operations/pairs/pair-shapes.js';
import { useChange } from '../../data/use-change.js';
import type { Context } from '../../frame/screen.js';
import { Confirm } from '../../parts/confirm/confirm.js';
import { pairPath } from './pair-paths.js';
import { TEXTS } from './texts.js';

interface PairDialogProps {
  context: Context;
  pair: ShownPair;
  onClose: () => void;
}

export function RotateDialog({
  context,
  pair,
  onClose,
  onSecret,
}: PairDialogProps & { onSecret: (secret: string) => void }): ReactElement {
  const [overlap, setOverlap] = useState('24h');
  const { send, isSending, failure } = useChange<RotatedSecret>();
  const rotate = async (): Promise<void> => {
    const sent = await send({
      method: 'POST',
      path: pairPath(context, pair.client_id, 'rotate'),
      body: overlap === '' ? {} : { overlap },
    });
    if (sent === undefined) return;
    onClose();
    onSecret(sent.answer.client_secret);
  };
  return (
    <Confirm
      title={TEXTS.rotateTitle}
      action={TEXTS.rotateAction}
      isSending={isSending}
      failure={failure}
      onConfirm={() => void rotate()}
      onClose={onClose}
    >
      <p>{TEXTS.rotateText}</p>
      <NativeSelect
        label={TEXTS.overlap}
        value={overlap}
        data={TEXTS.overlaps.map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget }) => setOverlap(currentTarget.value)}
      />
      {failure?.status === 0 && <p>{TEXTS.lost}</p>}
    </Confirm>
  );
}

export function DisableDialog({ context, pair, onClose }: PairDialogProps): ReactElement {
  const { send, isSending, failure } = useChange();
  const disable = async (): Promise<void> => {
    const path = pairPath(context, pair.client_id, 'disable');
    if ((await send({ method: 'POST', path, body: {} })) !== undefined) onClose();
  };
  return (
    <Confirm
      title={TEXTS.disableTitle}
      action={TEXTS.disableAction}
      isDanger
      isSending={isSending}
      failure={failure}
      onConfirm={() => void disable()}
      onClose={onClose}
    >
      <p>{TEXTS.disableText}</p>
    </Confirm>
  );
}

export function EndSecretDialog({
  context,
  pair,
  secretId,
  onClose,
}: PairDialogProps & { secretId: string }): ReactElement {
  const { send, isSending, failure } = useChange();
  const end = async (): Promise<void> => {
    const path = pairPath(context, pair.client_id, `secrets/${encodeURIComponent(secretId)}/end`);
    if ((await send({ method: 'POST', path, body: {} })) !== undefined) onClose();
  };
  return (
    <Confirm
      title={TEXTS.endTitle}
      action={TEXTS.endAction}
      isDanger
      isSending={isSending}
      failure={failure}
      onConfirm={() => void end()}
      onClose={onClose}
    >
      <p>{TEXTS.endText}</p>
    </Confirm>
  );
}
