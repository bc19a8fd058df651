import { Button, Group } from '@mantine/core';
import { useState, type ReactElement, type ReactNode } from 'react';
import type {
  ShownPair,
  ShownSecret,
} from '../../../../console-server/src/operations/pairs/pair-shapes.js';
import { useMayChange } from '../../frame/use-may-change.js';
import { useChange } from '../../data/use-change.js';
import type { Context } from '../../frame/screen.js';
import { FailureText } from '../../parts/confirm/failure-text.js';
import { Id } from '../../parts/id/id.js';
import { Card, Facts, Stack } from '../../parts/page/page-parts.js';
import { StateMark } from '../../parts/state/state-mark.js';
import type { StateWords } from '../../parts/state/states.js';
import { Table, type Column } from '../../parts/table/table.js';
import { Time } from '../../parts/time/time.js';
import { BOUND_WORDS } from './bound-words.js';
import classes from './keys.module.css';
import { DisableDialog, EndSecretDialog, RotateDialog } from './pair-dialogs.js';
import { pairPath } from './pair-paths.js';
import { SCOPE_WORDS } from './scope-words.js';
import { TEXTS } from './texts.js';

/** A key pair with its secrets, and what can be done with it. */
export function PairCard({
  context,
  pair,
  onSecret,
}: {
  context: Context;
  pair: ShownPair;
  onSecret: (secret: string) => void;
}): ReactElement {
  const mayChange = useMayChange();
  const [dialog, setDialog] = useState<'rotate' | 'disable' | { secretId: string } | null>(null);
  const { send, isSending, failure } = useChange();
  const close = (): void => setDialog(null);
  const enable = (): void =>
    void send({ method: 'POST', path: pairPath(context, pair.client_id, 'enable'), body: {} });
  return (
    <Card title={pair.label ?? pair.client_id} aside={<StateMark state={stateOf(pair)} />}>
      <Stack>
        <Facts
          facts={[
            [TEXTS.clientId, <Id id={pair.client_id} whole noun="key pair" />],
            [TEXTS.scopes, <Scopes key="scopes" of={pair} />],
            [TEXTS.reach, reachOf(pair)],
            [TEXTS.share, `${pair.share_percent} %`],
            ...(pair.share_percent === 100
              ? []
              : [[TEXTS.usedToday, <UsedToday key="used" of={pair} />] as const]),
            [TEXTS.lastUsed, <Time at={pair.last_used_at} />],
            [TEXTS.created, <Time at={pair.created_at} form="day" />],
            [TEXTS.ends, <Time at={pair.ends_at} form="day" absent={TEXTS.noEnd} />],
          ]}
        />
        {pair.secrets.length === 0 ? (
          <p className="muted small">{TEXTS.noSecret}</p>
        ) : (
          <Table
            name={`${TEXTS.secrets}: ${pair.client_id}`}
            columns={columns(mayChange ? (secretId) => setDialog({ secretId }) : null)}
            rows={pair.secrets}
            keyOf={({ secret_id }) => secret_id}
          />
        )}
        {pair.has_more_secrets && <p className="muted small">{TEXTS.more}</p>}
        <FailureText failure={failure} />
        {mayChange && (
          <Group gap="xs">
            {pair.secrets.length > 0 && (
              <Button variant="default" onClick={() => setDialog('rotate')}>
                {TEXTS.rotate}
              </Button>
            )}
            {pair.disabled_at === null ? (
              <Button variant="default" onClick={() => setDialog('disable')}>
                {TEXTS.disable}
              </Button>
            ) : (
              <Button variant="default" loading={isSending} onClick={enable}>
                {TEXTS.enable}
              </Button>
            )}
          </Group>
        )}
      </Stack>
      {dialog === 'rotate' && (
        <RotateDialog context={context} pair={pair} onClose={close} onSecret={onSecret} />
      )}
      {dialog === 'disable' && <DisableDialog context={context} pair={pair} onClose={close} />}
      {dialog !== null && typeof dialog === 'object' && (
        <EndSecretDialog context={context} pair={pair} secretId={dialog.secretId} onClose={close} />
      )}
    </Card>
  );
}

function Scopes({ of: { scopes } }: { of: ShownPair }): ReactNode {
  if (scopes === null) return TEXTS.allScopes;
  return (
    <ul className={classes.list}>
      {scopes.map((scope) => (
        <li key={scope}>
          {SCOPE_WORDS[scope]} <code className="muted">{scope}</code>
        </li>
      ))}
    </ul>
  );
}

/** A pair without a share of its own is counted with its app alone. */
function UsedToday({ of: { used_today: uses } }: { of: ShownPair }): ReactNode {
  if (uses.length === 0) return <span className="muted">{TEXTS.nothingYet}</span>;
  return (
    <ul className={classes.list}>
      {uses.map(({ name, used, limit }) => (
        <li key={name}>
          {BOUND_WORDS[name]}: {TEXTS.usedOf(used.toLocaleString('en'), limit.toLocaleString('en'))}
        </li>
      ))}
    </ul>
  );
}

function columns(end: ((secretId: string) => void) | null): readonly Column<ShownSecret>[] {
  return [
    {
      id: 'secret_id',
      title: TEXTS.secret,
      cell: ({ secret_id, label }) => (label === null ? secret_id : <bdi>{label}</bdi>),
      card: 'head',
    },
    { id: 'last_used_at', title: TEXTS.lastUsed, cell: (each) => <Time at={each.last_used_at} /> },
    {
      id: 'created_at',
      title: TEXTS.created,
      cell: ({ created_at }) => <Time at={created_at} form="day" />,
    },
    {
      id: 'ends_at',
      title: TEXTS.ends,
      cell: ({ ends_at }) => <Time at={ends_at} form="day" absent={TEXTS.noEnd} />,
    },
    ...(end === null
      ? []
      : [
          {
            id: 'end',
            title: 'Change',
            cell: ({ secret_id, ends_at }: ShownSecret) =>
              !isPast(ends_at) && (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  color="danger"
                  aria-label={`${TEXTS.endNow} ${secret_id}`}
                  onClick={() => end(secret_id)}
                >
                  {TEXTS.endNow}
                </Button>
              ),
          },
        ]),
  ];
}

const isPast = (at: string | null): boolean => at !== null && new Date(at).getTime() <= Date.now();

function stateOf({ disabled_at, ends_at }: ShownPair): StateWords {
  if (disabled_at !== null) return { tone: 'off', word: TEXTS.disabled };
  return isPast(ends_at) ? { tone: 'off', word: TEXTS.over } : { tone: 'good', word: TEXTS.works };
}

function reachOf({ restriction }: ShownPair): string {
  if (restriction === null) return TEXTS.everything;
  return 'users' in restriction ? TEXTS.users(restriction.users) : TEXTS.links(restriction.links);
}
