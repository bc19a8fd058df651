import type { ReactElement } from 'react';
import { useChange } from '../../data/use-change.js';
import { nativeIn } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';
import { Confirm } from '../../parts/confirm/confirm.js';
import { TEXTS } from './texts.js';

export function ResetDialog({
  context,
  linkId,
  onClose,
}: {
  context: Context;
  linkId: string;
  onClose: () => void;
}): ReactElement {
  const { send, isSending, failure } = useChange();
  const reset = async (): Promise<void> => {
    const sent = await send({
      method: 'POST',
      path: nativeIn(context, `/links/${encodeURIComponent(linkId)}/reset`),
    });
    if (sent !== undefined) onClose();
  };
  return (
    <Confirm
      title={TEXTS.askReset}
      action={TEXTS.reset}
      isSending={isSending}
      failure={failure}
      onConfirm={() => void reset()}
      onClose={onClose}
    >
      <p>{TEXTS.askResetText}</p>
    </Confirm>
  );
}
