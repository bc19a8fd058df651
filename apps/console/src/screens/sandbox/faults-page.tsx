import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type {
  Fault,
  SandboxCreateFaultRequest,
  SandboxListFaultsResult,
} from '../../../../../clients/node/src/generated/types.js';
import { useMayChange } from '../../frame/use-may-change.js';
import { useChange } from '../../data/use-change.js';
import { LIVELY_MS, useRead } from '../../data/use-read.js';
import { nativeIn, useAddress, useContextOfPath } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';
import { Shown } from '../../frame/states/shown.js';
import { FailureText } from '../../parts/confirm/failure-text.js';
import { Card, Stack } from '../../parts/page/page-parts.js';
import { Table, type Column } from '../../parts/table/table.js';
import { Time } from '../../parts/time/time.js';
import { BankField, DEFAULT_BANK } from './bank-field.js';
import { CallForm } from './call-form.js';
import { SandboxHead } from './sandbox-head.js';
import classes from './sandbox.module.css';
import { TEXTS } from './texts.js';
import { WorldField } from './world-field.js';

/** Faults of a bank, as a form with its call, and those that wait. */
export default function FaultsPage(): ReactElement {
  const context = useContextOfPath();
  const { value, change } = useAddress();
  const bank = value('institution_id') || DEFAULT_BANK;
  return (
    <>
      <SandboxHead context={context} current="faults" />
      <Stack>
        <FaultForm
          context={context}
          bank={bank}
          onBank={(next) => change({ institution_id: next === DEFAULT_BANK ? undefined : next })}
        />
        <CurrentFaults context={context} bank={bank} />
      </Stack>
    </>
  );
}

const pathOf = (bank: string): string => `/sandbox/institutions/${encodeURIComponent(bank)}/faults`;

function FaultForm({
  context,
  bank,
  onBank,
}: {
  context: Context;
  bank: string;
  onBank: (bank: string) => void;
}): ReactElement {
  const [operation, setOperation] = useState('any');
  const [kind, setKind] = useState('timeout');
  const [count, setCount] = useState('1');
  const [world, setWorld] = useState('');
  const { send, isSending, failure } = useChange<Fault>();
  const isCount = count === '' || /^[1-9]\d{0,5}$/.test(count);
  const body: SandboxCreateFaultRequest = {
    operation: operation as SandboxCreateFaultRequest['operation'],
    kind: kind as SandboxCreateFaultRequest['kind'],
    count: count === '' ? null : Number(count),
    ...(world === '' ? {} : { world_id: world }),
  };
  return (
    <CallForm
      title={TEXTS.faults}
      hint={TEXTS.faultsHint}
      action={TEXTS.createFault}
      call={{
        method: 'POST',
        path: pathOf(bank),
        operation: 'sandbox.createFault',
        values: [bank],
        body: { ...body },
      }}
      isSending={isSending}
      failure={failure}
      isReady={isCount}
      onSend={() => void send({ method: 'POST', path: nativeIn(context, pathOf(bank)), body })}
      result={null}
    >
      <div className={classes.fields}>
        <BankField context={context} value={bank} onChange={onBank} />
        <NativeSelect
          label={TEXTS.operation}
          value={operation}
          data={TEXTS.operations.map(([option, label]) => ({ value: option, label }))}
          onChange={({ currentTarget }) => setOperation(currentTarget.value)}
        />
        <NativeSelect
          label={TEXTS.kind}
          value={kind}
          data={TEXTS.kinds.map(([option, label]) => ({ value: option, label }))}
          onChange={({ currentTarget }) => setKind(currentTarget.value)}
        />
        <WorldField context={context} value={world} onChange={setWorld} />
        <TextInput
          label={TEXTS.count}
          description={TEXTS.countHint}
          inputMode="numeric"
          value={count}
          error={!isCount}
          onChange={({ currentTarget }) => setCount(currentTarget.value.trim())}
        />
      </div>
    </CallForm>
  );
}

function CurrentFaults({ context, bank }: { context: Context; bank: string }): ReactElement {
  const reading = useRead<SandboxListFaultsResult>(nativeIn(context, pathOf(bank)), {
    every: LIVELY_MS,
  });
  const { send, isSending, failure } = useChange();
  const mayChange = useMayChange();
  const end = (faultId: string): void =>
    void send({
      method: 'DELETE',
      path: nativeIn(context, `/sandbox/faults/${encodeURIComponent(faultId)}`),
    });
  const columns: readonly Column<Fault>[] = [
    {
      id: 'kind',
      title: TEXTS.kind,
      card: 'head',
      cell: ({ kind }) => TEXTS.kinds.find(([name]) => name === kind)?.[1] ?? kind,
    },
    {
      id: 'operation',
      title: TEXTS.operation,
      cell: ({ operation }) =>
        TEXTS.operations.find(([name]) => name === operation)?.[1] ?? operation,
    },
    { id: 'left', title: TEXTS.count, cell: ({ remaining }) => TEXTS.left(remaining) },
    {
      id: 'created',
      title: TEXTS.created,
      card: 'corner',
      cell: ({ created_at }) => <Time at={created_at} inRow />,
    },
    ...(mayChange
      ? [
          {
            id: 'end',
            title: TEXTS.end,
            width: '96px',
            cell: ({ fault_id }: Fault) => (
              <Button
                size="compact-sm"
                variant="default"
                disabled={isSending}
                onClick={() => end(fault_id)}
              >
                {TEXTS.end}
              </Button>
            ),
          },
        ]
      : []),
  ];
  return (
    <Card title={TEXTS.current} isFlush>
      <FailureText failure={failure} />
      <Shown
        of={reading}
        rows={2}
        isEmpty={({ faults }) => faults.length === 0}
        empty={<p className={classes.none}>{TEXTS.noFault}</p>}
      >
        {({ faults }) => (
          <Table
            name={TEXTS.current}
            columns={columns}
            rows={faults}
            keyOf={({ fault_id }) => fault_id}
          />
        )}
      </Shown>
    </Card>
  );
}
