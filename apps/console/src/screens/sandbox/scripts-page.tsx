import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { SandboxRunScriptResult } from '../../../../../clients/node/src/generated/types.js';
import { useChange } from '../../data/use-change.js';
import { nativeIn, useAddress, useContextOfPath } from '../../frame/address.js';
import { CallForm } from './call-form.js';
import { readScript } from './read-script.js';
import { SandboxHead } from './sandbox-head.js';
import { EXAMPLE_SCRIPT, TEXTS } from './texts.js';

/** Transactions that happen at the bank of a link. */
export default function ScriptsPage(): ReactElement {
  const context = useContextOfPath();
  const { value } = useAddress();
  const [link, setLink] = useState(value('link_id'));
  const [text, setText] = useState(EXAMPLE_SCRIPT);
  const [refresh, setRefresh] = useState(true);
  const [applied, setApplied] = useState<number | null>(null);
  const { send, isSending, failure } = useChange<SandboxRunScriptResult>();
  const script = readScript(text);
  const path = `/sandbox/links/${encodeURIComponent(link.trim()) || 'LINK_ID'}/transactions`;
  const body = { script: script ?? [], refresh };
  const run = async (): Promise<void> => {
    setApplied(null);
    const sent = await send({ method: 'POST', path: nativeIn(context, path), body });
    if (sent !== undefined) setApplied(sent.answer.applied);
  };
  return (
    <>
      <SandboxHead context={context} current="scripts" />
      <CallForm
        title={TEXTS.scripts}
        hint={TEXTS.scriptsHint}
        action={TEXTS.run}
        call={{
          method: 'POST',
          path,
          operation: 'sandbox.runScript',
          values: [link.trim() || 'LINK_ID'],
          body,
        }}
        isSending={isSending}
        failure={failure}
        isReady={script !== null && link.trim() !== ''}
        onSend={() => void run()}
        result={applied !== null && TEXTS.applied(applied)}
      >
        <TextInput
          label={TEXTS.link}
          required
          spellCheck={false}
          value={link}
          onChange={({ currentTarget }) => setLink(currentTarget.value)}
        />
        <Textarea
          label={TEXTS.script}
          rows={8}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={text}
          error={script === null ? TEXTS.notJson : undefined}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Checkbox
          label={TEXTS.refreshAfter}
          checked={refresh}
          onChange={({ currentTarget }) => setRefresh(currentTarget.checked)}
        />
      </CallForm>
    </>
  );
}
