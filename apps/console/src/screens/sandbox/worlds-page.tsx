import { Button, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type {
  SandboxAdvanceWorldResult,
  SandboxListWorldsResult,
  World,
} from '../../../../../clients/node/src/generated/types.js';
import { useSession } from '../../data/session.js';
import { useMayChange } from '../../frame/use-may-change.js';
import { useChange } from '../../data/use-change.js';
import { LIVELY_MS, useRead } from '../../data/use-read.js';
import { nativeIn, useContextOfPath } from '../../frame/address.js';
import { useZone } from '../../frame/preferences.js';
import type { Context } from '../../frame/screen.js';
import { Shown } from '../../frame/states/shown.js';
import { StateText } from '../../frame/states/state-text.js';
import { Call } from '../../parts/code/call.js';
import { Confirm } from '../../parts/confirm/confirm.js';
import { FailureText } from '../../parts/confirm/failure-text.js';
import { ForeignText } from '../../parts/foreign-text/foreign-text.js';
import { Id } from '../../parts/id/id.js';
import { Card, Stack } from '../../parts/page/page-parts.js';
import { fromInput } from '../../parts/time/format-time.js';
import { Time } from '../../parts/time/time.js';
import { CallForm } from './call-form.js';
import { SandboxHead } from './sandbox-head.js';
import classes from './sandbox.module.css';
import { TEXTS } from './texts.js';

/** Worlds with a clock, and what ran when one was advanced. */
export default function WorldsPage(): ReactElement {
  const context = useContextOfPath();
  const reading = useRead<SandboxListWorldsResult>(nativeIn(context, '/sandbox/worlds'), {
    every: LIVELY_MS,
  });
  return (
    <>
      <SandboxHead context={context} current="worlds" />
      <Stack>
        <Shown
          of={reading}
          rows={3}
          isEmpty={({ worlds }) => worlds.length === 0}
          empty={<StateText title={TEXTS.noWorld}>{TEXTS.noWorldHint}</StateText>}
        >
          {({ worlds }) => (
            <Stack>
              {worlds.map((world) => (
                <WorldCard key={world.world_id} context={context} world={world} />
              ))}
            </Stack>
          )}
        </Shown>
        <NewWorld context={context} />
      </Stack>
    </>
  );
}

function WorldCard({ context, world }: { context: Context; world: World }): ReactElement {
  const { base_url: baseUrl } = useSession();
  const [zone] = useZone();
  const mayChange = useMayChange();
  const [to, setTo] = useState('');
  const [last, setLast] = useState<Readonly<Record<string, string>>>({ by: 'P1D' });
  const [isAsking, setAsking] = useState(false);
  const [result, setResult] = useState<SandboxAdvanceWorldResult | null>(null);
  const { send, isSending, failure } = useChange<SandboxAdvanceWorldResult>();
  const path = `/sandbox/worlds/${encodeURIComponent(world.world_id)}`;
  const advance = async (body: Readonly<Record<string, string>>): Promise<void> => {
    setLast(body);
    const sent = await send({
      method: 'POST',
      path: nativeIn(context, `${path}/advance`),
      body,
    });
    if (sent !== undefined) setResult(sent.answer);
  };
  const target = fromInput(to, zone);
  return (
    <Card
      title={world.name}
      aside={
        <span className={classes.worldNow}>
          {TEXTS.worldNow} <Time at={world.now} form="day" />
        </span>
      }
    >
      <div className={classes.form}>
        <Id id={world.world_id} noun="world" />
        {mayChange && (
          <form
            className={classes.advance}
            onSubmit={(event) => {
              event.preventDefault();
              if (target !== null) void advance({ to: target });
            }}
          >
            <div className={classes.steps} role="group" aria-label={TEXTS.advance}>
              <span className={classes.label}>{TEXTS.advance}</span>
              {TEXTS.steps.map(([by, label]) => (
                <Button
                  key={by}
                  variant="default"
                  disabled={isSending}
                  onClick={() => void advance({ by })}
                >
                  {label}
                </Button>
              ))}
            </div>
            <TextInput
              label={`${TEXTS.advanceTo} (${zone === 'UTC' ? 'UTC' : 'local'})`}
              type="datetime-local"
              value={to}
              onChange={({ currentTarget }) => setTo(currentTarget.value)}
            />
            <Button type="submit" loading={isSending} disabled={target === null}>
              {TEXTS.advanceNow}
            </Button>
            <Button
              className={classes.away}
              variant="subtle"
              color="danger"
              onClick={() => setAsking(true)}
            >
              {TEXTS.deleteWorld}…
            </Button>
          </form>
        )}
        <FailureText failure={failure} />
        <div role="status">{result !== null && <Ran result={result} />}</div>
        <Call
          baseUrl={baseUrl}
          call={{
            method: 'POST',
            path: `${path}/advance`,
            operation: 'sandbox.advanceWorld',
            values: [world.world_id],
            body: last,
          }}
        />
      </div>
      {isAsking && <DeleteWorld context={context} world={world} onClose={() => setAsking(false)} />}
    </Card>
  );
}

function Ran({ result: { ran, settled } }: { result: SandboxAdvanceWorldResult }): ReactElement {
  return (
    <p className={classes.ran}>
      {TEXTS.ran}:{' '}
      {Object.entries(ran)
        .map(([name, count]) => `${count.toLocaleString('en')} ${TEXTS.ranParts[name] ?? name}`)
        .join(', ')}
      .{!settled && ` ${TEXTS.notSettled}`}
    </p>
  );
}

function DeleteWorld({
  context,
  world,
  onClose,
}: {
  context: Context;
  world: World;
  onClose: () => void;
}): ReactElement {
  const { send, isSending, failure } = useChange();
  const remove = async (): Promise<void> => {
    const sent = await send({
      method: 'DELETE',
      path: nativeIn(context, `/sandbox/worlds/${encodeURIComponent(world.world_id)}`),
    });
    if (sent !== undefined) onClose();
  };
  return (
    <Confirm
      title={TEXTS.askDeleteWorld(world.name)}
      action={TEXTS.deleteWorld}
      isDanger
      isSending={isSending}
      failure={failure}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>{TEXTS.askDeleteWorldText}</p>
    </Confirm>
  );
}

function NewWorld({ context }: { context: Context }): ReactElement {
  const [zone] = useZone();
  const [name, setName] = useState('');
  const [start, setStart] = useState('');
  const [created, setCreated] = useState<World | null>(null);
  const { send, isSending, failure } = useChange<World>();
  const begin = fromInput(start, zone);
  const body = {
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(begin === null ? {} : { start: begin }),
  };
  const create = async (): Promise<void> => {
    const sent = await send({ method: 'POST', path: nativeIn(context, '/sandbox/worlds'), body });
    if (sent === undefined) return;
    setCreated(sent.answer);
    setName('');
  };
  return (
    <CallForm
      title={TEXTS.newWorld}
      hint={TEXTS.worldsHint}
      action={TEXTS.create}
      call={{
        method: 'POST',
        path: '/sandbox/worlds',
        operation: 'sandbox.createWorld',
        values: [],
        body,
      }}
      isSending={isSending}
      failure={failure}
      onSend={() => void create()}
      result={created !== null && <ForeignText text={`${created.name}: ${created.world_id}`} />}
    >
      <div className={classes.fields}>
        <TextInput
          label={TEXTS.worldName}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          label={`${TEXTS.worldStart} (${zone === 'UTC' ? 'UTC' : 'local'})`}
          type="datetime-local"
          value={start}
          onChange={({ currentTarget }) => setStart(currentTarget.value)}
        />
      </div>
    </CallForm>
  );
}
