import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type {
  Link,
  LinkSessionsCreateResult,
} from '../../../../../clients/node/src/generated/types.js';
import { useChange } from '../../data/use-change.js';
import { nativeIn } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';
import { CodeBlock } from '../../parts/code/call.js';
import { Confirm } from '../../parts/confirm/confirm.js';
import { Dialog } from '../../frame/dialog/dialog.js';
import { Time } from '../../parts/time/time.js';
import classes from './links.module.css';
import { TEXTS } from './texts.js';

/**
 * An address at which the user signs in again. It holds a token: it lives in this component alone, and is gone
 * with it.
 */
export function RepairDialog({
  context,
  link,
  onClose,
}: {
  context: Context;
  link: Link;
  onClose: () => void;
}): ReactElement {
  const { send, isSending, failure } = useChange<LinkSessionsCreateResult>();
  const [created, setCreated] = useState<{ address: string; endsAt: string } | null>(null);
  const create = async (): Promise<void> => {
    const sent = await send({
      method: 'POST',
      path: nativeIn(context, '/link-session'),
      body: {
        existing_link_id: link.link_id,
        customer_user: { id: link.customer_user_id },
        hosted: {},
      },
    });
    if (sent !== undefined && sent.answer.hosted_url !== null)
      setCreated({ address: sent.answer.hosted_url, endsAt: sent.answer.expires_at });
  };
  if (created === null)
    return (
      <Confirm
        title={TEXTS.askRepair}
        action={TEXTS.create}
        isSending={isSending}
        failure={failure}
        onConfirm={() => void create()}
        onClose={onClose}
      >
        <p>{TEXTS.askRepairText}</p>
      </Confirm>
    );
  const canShare = typeof navigator.share === 'function';
  return (
    <Dialog onClose={onClose} title={TEXTS.repairReady} isLocked>
      <div className={classes.dialog}>
        <p className="muted">{TEXTS.repairOnce}</p>
        <CodeBlock text={created.address} name={TEXTS.repairAddress} />
        <p className="muted small">
          {TEXTS.repairUntil} <Time at={created.endsAt} form="exact" />.
        </p>
        <div className={classes.buttons}>
          {canShare && (
            <Button
              variant="default"
              onClick={() => {
                // A person who closes the sheet has decided not to share.
                navigator.share({ url: created.address }).catch(() => undefined);
              }}
            >
              {TEXTS.share}
            </Button>
          )}
          <Button onClick={() => onClose()}>{TEXTS.close}</Button>
        </div>
      </div>
    </Dialog>
  );
}
