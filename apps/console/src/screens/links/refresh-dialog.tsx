import type { ReactElement } from 'react';
import type { Link } from '../../../../../clients/node/src/generated/types.js';
import { useChange } from '../../data/use-change.js';
import { nativeIn } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';
import { Confirm } from '../../parts/confirm/confirm.js';
import { TEXTS } from './texts.js';

export function RefreshDialog({
  context,
  link,
  onDone,
  onClose,
}: {
  context: Context;
  link: Link;
  /** It was accepted; the text tells what happens now. */
  onDone: (text: string) => void;
  onClose: () => void;
}): ReactElement {
  const { send, isSending, failure } = useChange();
  const refresh = async (): Promise<void> => {
    const sent = await send({
      method: 'POST',
      path: nativeIn(context, `/links/${encodeURIComponent(link.link_id)}/products`),
      body: { products: Object.keys(link.products) },
    });
    if (sent !== undefined) onDone(TEXTS.refreshing);
  };
  return (
    <Confirm
      title={TEXTS.askRefresh}
      action={TEXTS.refresh}
      isSending={isSending}
      failure={failure}
      onConfirm={() => void refresh()}
      onClose={onClose}
    >
      <p>{TEXTS.askRefreshText}</p>
    </Confirm>
  );
}
