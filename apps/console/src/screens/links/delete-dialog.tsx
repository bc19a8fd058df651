import type { ReactElement } from 'react';
import { useChange } from '../../data/use-change.js';
import { nativeIn } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';
import { Confirm } from '../../parts/confirm/confirm.js';
import { TEXTS } from './texts.js';

/** In Live, the id is typed first, and the server compares it. */
export function DeleteDialog({
  context,
  linkId,
  onClose,
}: {
  context: Context;
  linkId: string;
  onClose: () => void;
}): ReactElement {
  const { send, isSending, failure } = useChange();
  const isLive = context.env === 'live';
  const remove = async (): Promise<void> => {
    const sent = await send({
      method: 'DELETE',
      path: nativeIn(context, `/links/${encodeURIComponent(linkId)}`),
      ...(isLive ? { headers: { 'console-confirm': linkId } } : {}),
    });
    if (sent !== undefined) onClose();
  };
  return (
    <Confirm
      title={TEXTS.askDelete}
      action={TEXTS.delete}
      isDanger
      typed={isLive ? linkId : undefined}
      isSending={isSending}
      failure={failure}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>{TEXTS.askDeleteText}</p>
    </Confirm>
  );
}
