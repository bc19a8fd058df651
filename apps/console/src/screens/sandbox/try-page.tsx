import { NativeSelect, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type {
  CreatedSandboxLink,
  SandboxCreateLinkRequest,
} from '../../../../../clients/node/src/generated/types.js';
import { useChange } from '../../data/use-change.js';
import { nativeIn, placeIn, useAddress, useContextOfPath } from '../../frame/address.js';
import { PlaceLink } from '../../frame/place-link.js';
import type { Context } from '../../frame/screen.js';
import { Stack } from '../../parts/page/page-parts.js';
import { BankField, DEFAULT_BANK } from './bank-field.js';
import { CallForm } from './call-form.js';
import { SandboxHead } from './sandbox-head.js';
import classes from './sandbox.module.css';
import { TEXTS } from './texts.js';
import { WebhookField } from './webhook-field.js';
import { WorldField } from './world-field.js';

/** A link without a user, and the end of its sign-in. */
export default function TryPage(): ReactElement {
  const context = useContextOfPath();
  const [linkId, setLinkId] = useState<string | null>(null);
  return (
    <>
      <SandboxHead context={context} current="try" />
      <Stack>
        <LinkForm context={context} onLinked={setLinkId} />
        <BreakForm key={linkId} context={context} linkId={linkId} />
      </Stack>
    </>
  );
}

function LinkForm({
  context,
  onLinked,
}: {
  context: Context;
  onLinked: (linkId: string) => void;
}): ReactElement {
  const [bank, setBank] = useState(DEFAULT_BANK);
  const [userName, setUserName] = useState('');
  const [user, setUser] = useState('test-user');
  const [webhook, setWebhook] = useState('');
  const [world, setWorld] = useState('');
  const [linked, setLinked] = useState<string | null>(null);
  const { send, isSending, failure } = useChange<CreatedSandboxLink>();
  const body: SandboxCreateLinkRequest = {
    institution_id: bank,
    customer_user: { id: user.trim() },
    ...(userName === '' ? {} : { username: userName }),
    ...(webhook.trim() === '' ? {} : { webhook: webhook.trim() }),
    ...(world === '' ? {} : { world_id: world }),
  };
  const create = async (): Promise<void> => {
    const sent = await send({ method: 'POST', path: nativeIn(context, '/sandbox/link'), body });
    if (sent === undefined) return;
    setLinked(sent.answer.link_id);
    onLinked(sent.answer.link_id);
  };
  return (
    <CallForm
      title={TEXTS.try}
      hint={TEXTS.tryHint}
      action={TEXTS.linkNow}
      call={{
        method: 'POST',
        path: '/sandbox/link',
        operation: 'sandbox.createLink',
        values: [],
        body: { ...body },
      }}
      isSending={isSending}
      failure={failure}
      isReady={user.trim() !== ''}
      onSend={() => void create()}
      result={
        linked !== null && (
          <>
            {TEXTS.linked}.{' '}
            <PlaceLink href={placeIn(context, `/links/${encodeURIComponent(linked)}`)}>
              {TEXTS.openLink}
            </PlaceLink>
          </>
        )
      }
    >
      <div className={classes.fields}>
        <BankField context={context} value={bank} onChange={setBank} />
        <NativeSelect
          label={TEXTS.userName}
          value={userName}
          data={TEXTS.userNames.map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget }) => setUserName(currentTarget.value)}
        />
        <TextInput
          label={TEXTS.user}
          required
          value={user}
          onChange={({ currentTarget }) => setUser(currentTarget.value)}
        />
        <WorldField context={context} value={world} onChange={setWorld} />
      </div>
      <WebhookField value={webhook} onChange={setWebhook} />
    </CallForm>
  );
}

function BreakForm({ context, linkId }: { context: Context; linkId: string | null }): ReactElement {
  const { value } = useAddress();
  const [link, setLink] = useState(linkId ?? value('link_id'));
  const [isDone, setDone] = useState(false);
  const { send, isSending, failure } = useChange();
  const path = `/sandbox/links/${encodeURIComponent(link.trim()) || 'LINK_ID'}/expire-auth`;
  const body = { mode: 'now' };
  const run = async (): Promise<void> => {
    const sent = await send({ method: 'POST', path: nativeIn(context, path), body });
    if (sent !== undefined) setDone(true);
  };
  return (
    <CallForm
      title={TEXTS.breakIt}
      hint={TEXTS.breakHint}
      action={TEXTS.breakNow}
      call={{
        method: 'POST',
        path,
        operation: 'sandbox.expireAuth',
        values: [link.trim() || 'LINK_ID'],
        body,
      }}
      isSending={isSending}
      failure={failure}
      isReady={link.trim() !== ''}
      onSend={() => void run()}
      result={
        isDone && (
          <>
            {TEXTS.broken}{' '}
            <PlaceLink href={placeIn(context, `/links/${encodeURIComponent(link.trim())}`)}>
              {TEXTS.openLink}
            </PlaceLink>
          </>
        )
      }
    >
      <TextInput
        label={TEXTS.link}
        required
        spellCheck={false}
        value={link}
        onChange={({ currentTarget }) => {
          setDone(false);
          setLink(currentTarget.value);
        }}
      />
    </CallForm>
  );
}
