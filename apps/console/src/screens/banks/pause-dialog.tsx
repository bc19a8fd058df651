import { TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { ChangedSchedule } from '../../../../console-server/src/operations/institutions/institution-shapes.js';
import { useChange } from '../../data/use-change.js';
import { useZone } from '../../frame/preferences.js';
import { Confirm } from '../../parts/confirm/confirm.js';
import { fromInput } from '../../parts/time/format-time.js';
import { TEXTS } from './texts.js';

/** Pauses or resumes the scheduled refreshes of a bank or a provider. */
export function PauseDialog({
  name,
  path,
  action,
  onClose,
}: {
  name: string;
  /** Of the bank or the provider. */
  path: string;
  action: 'pause' | 'resume';
  onClose: () => void;
}): ReactElement {
  const [zone] = useZone();
  const [until, setUntil] = useState('');
  const [reason, setReason] = useState('');
  const { send, isSending, failure } = useChange<ChangedSchedule>();
  const isPause = action === 'pause';
  const run = async (): Promise<void> => {
    const end = isPause ? fromInput(until, zone) : null;
    const sent = await send({
      method: 'POST',
      path: `${path}/${action}`,
      body: {
        ...(end === null ? {} : { until: end }),
        ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      },
    });
    if (sent !== undefined) onClose();
  };
  return (
    <Confirm
      title={isPause ? TEXTS.askPause(name) : TEXTS.askResume(name)}
      action={isPause ? TEXTS.pauseAction : TEXTS.resumeAction}
      isSending={isSending}
      failure={failure}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <p>{isPause ? TEXTS.askPauseText : TEXTS.askResumeText}</p>
      {isPause && (
        <TextInput
          label={`${TEXTS.until} (${zone === 'UTC' ? 'UTC' : 'local'})`}
          description={TEXTS.untilHint}
          type="datetime-local"
          value={until}
          onChange={({ currentTarget }) => setUntil(currentTarget.value)}
        />
      )}
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
