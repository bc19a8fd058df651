import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type {
  TestWebhookRequest,
  WebhooksSendTestEventResult,
} from '../../../../../clients/node/src/generated/types.js';
import { useSession } from '../../data/session.js';
import { useChange } from '../../data/use-change.js';
import { nativeIn } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';
import { Call } from '../../parts/code/call.js';
import { FailureText } from '../../parts/confirm/failure-text.js';
import { Dialog } from '../../frame/dialog/dialog.js';
import { TEXTS } from './texts.js';
import classes from './webhooks.module.css';

const NAMES: readonly TestWebhookRequest['webhook_event'][] = [
  'link.state_changed',
  'link.product_refresh',
  'transactions.updates_available',
  'investments.updates_available',
  'link.permission_expiring',
];

/** Sends an event to the receiver of a link, without a change. */
export function TestDialog({
  context,
  linkId,
  onClose,
}: {
  context: Context;
  linkId: string;
  onClose: () => void;
}): ReactElement {
  const { base_url: baseUrl } = useSession();
  const [link, setLink] = useState(linkId);
  const [name, setName] = useState<TestWebhookRequest['webhook_event']>('link.state_changed');
  const [key] = useState(() => `console-${crypto.randomUUID()}`);
  const [isSent, setSent] = useState(false);
  const { send, isSending, failure } = useChange<WebhooksSendTestEventResult>();
  const body: TestWebhookRequest = { webhook_event: name, webhook_idempotency_key: key };
  const path = `/webhooks/test/link/${encodeURIComponent(link.trim())}`;
  const run = async (): Promise<void> => {
    const sent = await send({ method: 'POST', path: nativeIn(context, path), body });
    if (sent !== undefined) setSent(true);
  };
  return (
    <Dialog onClose={onClose} title={TEXTS.testTitle}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isSent) onClose();
          else void run();
        }}
      >
        <p className="muted">{TEXTS.testText}</p>
        <TextInput
          label={TEXTS.testLink}
          required
          spellCheck={false}
          value={link}
          onChange={({ currentTarget }) => setLink(currentTarget.value)}
        />
        <NativeSelect
          label={TEXTS.testEvent}
          value={name}
          data={[...NAMES]}
          onChange={({ currentTarget }) =>
            setName(currentTarget.value as TestWebhookRequest['webhook_event'])
          }
        />
        <Call
          baseUrl={baseUrl}
          call={{
            method: 'POST',
            path,
            operation: 'webhooks.sendTestEvent',
            values: [link.trim()],
            body: { ...body },
          }}
        />
        <p role="status" className={classes.result}>
          {isSent && TEXTS.testSent}
        </p>
        <FailureText failure={failure} />
        <div className={classes.buttons}>
          <Button type="submit" loading={isSending} disabled={link.trim() === ''}>
            {isSent ? TEXTS.close : TEXTS.send}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
