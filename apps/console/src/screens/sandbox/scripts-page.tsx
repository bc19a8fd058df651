import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { SandboxChange } from '../../../../../clients/node/src/generated/types.js';
import { useChange } from '../../data/use-change.js';
import { nativeIn, useAddress, useContextOfPath } from '../../frame/address.js';
import { CallForm } from './call-form.js';
import { readScript } from './read-script.js';
import { SandboxHead } from './sandbox-head.js';
import { EXAMPLE_SCRIPTS, TEXTS } from './texts.js';

type Changed = keyof typeof EXAMPLE_SCRIPTS;

const OPERATIONS: Record<Changed, string> = {
  transactions: 'sandbox.runScript',
  holdings: 'sandbox.runHoldingsScript',
  liabilities: 'sandbox.runLiabilitiesScript',
};

/** Changes that happen at the bank of a link. */
export default function ScriptsPage(): ReactElement {
  const context = useContextOfPath();
  const { value } = useAddress();
  const [link, setLink] = useState(value('link_id'));
  const [changed, setChanged] = useState<Changed>('transactions');
  const [text, setText] = useState<string>(EXAMPLE_SCRIPTS.transactions);
  const [refresh, setRefresh] = useState(true);
  const [applied, setApplied] = useState<number | null>(null);
  const { send, isSending, failure } = useChange<SandboxChange>();
  const script = readScript(text);
  const path = `/sandbox/links/${encodeURIComponent(link.trim()) || 'LINK_ID'}/${changed}`;
  const body = { script: script ?? [], refresh };
  const choose = (next: Changed): void => {
    if (text === EXAMPLE_SCRIPTS[changed]) setText(EXAMPLE_SCRIPTS[next]);
    setChanged(next);
  };
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
          operation: OPERATIONS[changed],
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
        <NativeSelect
          label={TEXTS.changed}
          value={changed}
          data={TEXTS.changes.map(([option, label]) => ({ value: option, label }))}
          onChange={({ currentTarget }) => choose(currentTarget.value as Changed)}
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
