import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { CreatedPair } from '../../../../console-server/src/operations/pairs/pair-shapes.js';
import { useChange } from '../../data/use-change.js';
import { operationIn } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';
import { Confirm } from '../../parts/confirm/confirm.js';
import classes from './keys.module.css';
import { EVERY_CALL, pairBody, type ChosenPair } from './pair-body.js';
import { SCOPE_NAMES, SCOPE_WORDS } from './scope-words.js';
import { TEXTS } from './texts.js';

export function CreatePairDialog({
  context,
  onCreated,
  onClose,
}: {
  context: Context;
  onCreated: (created: CreatedPair) => void;
  onClose: () => void;
}): ReactElement {
  const [chosen, setChosen] = useState<ChosenPair>(EVERY_CALL);
  const { send, isSending, failure } = useChange<CreatedPair>();
  const set = (change: Partial<ChosenPair>): void => setChosen({ ...chosen, ...change });
  const create = async (): Promise<void> => {
    const body = pairBody(chosen, new Date());
    const sent = await send({ method: 'POST', path: operationIn(context, '/pairs'), body });
    if (sent !== undefined) onCreated(sent.answer);
  };
  const isIncomplete = chosen.scopes?.length === 0;
  return (
    <Confirm
      title={TEXTS.newPair.replace('…', '')}
      action={TEXTS.create}
      isIncomplete={isIncomplete}
      isSending={isSending}
      failure={failure}
      onConfirm={() => void create()}
      onClose={onClose}
    >
      <TextInput
        label={TEXTS.label}
        description={TEXTS.labelHint}
        value={chosen.label}
        error={failure?.messageOf('label')}
        onChange={({ currentTarget }) => set({ label: currentTarget.value })}
      />
      <NativeSelect
        label={TEXTS.may}
        value={chosen.scopes === null ? 'all' : 'some'}
        data={[
          { value: 'all', label: TEXTS.mayAll },
          { value: 'some', label: TEXTS.maySome },
        ]}
        onChange={({ currentTarget }) => set({ scopes: currentTarget.value === 'all' ? null : [] })}
      />
      {chosen.scopes !== null && (
        <Checkbox.Group
          label={TEXTS.scopes}
          value={[...chosen.scopes]}
          onChange={(scopes) => set({ scopes })}
        >
          <div className={classes.scopes}>
            {SCOPE_NAMES.map((scope) => (
              <Checkbox
                key={scope}
                value={scope}
                size="sm"
                label={SCOPE_WORDS[scope]}
                description={scope}
              />
            ))}
          </div>
        </Checkbox.Group>
      )}
      <div className={classes.row}>
        <NativeSelect
          label={TEXTS.ends}
          value={chosen.days}
          data={TEXTS.endings.map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget }) => set({ days: currentTarget.value })}
        />
        <NativeSelect
          label={TEXTS.share}
          description={TEXTS.shareHint}
          value={chosen.share}
          data={[
            { value: '', label: chosen.scopes === null ? TEXTS.wholeShare : TEXTS.quarterShare },
            ...TEXTS.shares.map((percent) => ({ value: percent, label: `${percent} %` })),
          ]}
          onChange={({ currentTarget }) => set({ share: currentTarget.value })}
        />
      </div>
      <p className="small">{TEXTS.narrower}</p>
    </Confirm>
  );
}
