import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type {
  CheckedProvider,
  ProviderList,
  ShownProvider,
} from '../../../../console-server/src/operations/providers/provider-shapes.js';
import { useMayOperate } from '../../frame/use-may-change.js';
import { useChange } from '../../data/use-change.js';
import { CALM_MS, useRead } from '../../data/use-read.js';
import { PageTitle } from '../../frame/page-title.js';
import { Shown } from '../../frame/states/shown.js';
import { StateText } from '../../frame/states/state-text.js';
import { FailureText } from '../../parts/confirm/failure-text.js';
import { ForeignText } from '../../parts/foreign-text/foreign-text.js';
import { Card, Facts, Stack } from '../../parts/page/page-parts.js';
import { StateMark } from '../../parts/state/state-mark.js';
import { Time } from '../../parts/time/time.js';
import { BankTabs } from './bank-tabs.js';
import classes from './banks.module.css';
import { PauseDialog } from './pause-dialog.js';
import { PauseText } from './pause-text.js';
import { TEXTS } from './texts.js';

/** The configurations through which banks are reached. */
export default function ProvidersPage(): ReactElement {
  const reading = useRead<ProviderList>('/instance/providers', { every: CALM_MS });
  return (
    <>
      <PageTitle title={TEXTS.banks} />
      <BankTabs current="providers" />
      <Shown
        of={reading}
        rows={4}
        isEmpty={(providers) => providers.length === 0}
        empty={<StateText title={TEXTS.noProvider} />}
      >
        {(providers) => (
          <Stack>
            {providers.map((provider) => (
              <Provider key={provider.name} provider={provider} />
            ))}
            <p className="muted small">{TEXTS.change}</p>
          </Stack>
        )}
      </Shown>
    </>
  );
}

function Provider({ provider }: { provider: ShownProvider }): ReactElement {
  const { name, adapter, environment, state, check, credentials_end_at, paused } = provider;
  const path = `/instance/providers/${encodeURIComponent(name)}`;
  return (
    <Card title={name} aside={<StateMark state={TEXTS.states[state]} />}>
      <div className={classes.providerBody}>
        <Facts
          facts={[
            [
              TEXTS.adapter,
              `${adapter}${environment === null ? '' : `, ${TEXTS.environments[environment]}`}`,
            ],
            [TEXTS.linksOf, linksText(provider)],
            ...(state === 'built_in'
              ? []
              : ([
                  [
                    TEXTS.lastCheck,
                    <Time key="check" at={check?.at ?? null} absent={TEXTS.neverChecked} />,
                  ],
                  [
                    TEXTS.credentials,
                    <Time key="end" at={credentials_end_at} absent={TEXTS.noEnd} />,
                  ],
                ] as const)),
            [TEXTS.quota, <Quotas key="quotas" provider={provider} />],
            ...(paused === null
              ? []
              : ([[TEXTS.paused, <PauseText key="paused" pause={paused} />]] as const)),
          ]}
        />
        {check !== null && <CheckLines check={check} />}
        <ProviderActions name={name} path={path} isPaused={paused !== null} state={state} />
      </div>
    </Card>
  );
}

function linksText({ links, max_links }: ShownProvider): string {
  const count = links > 1_000 ? '1,000+' : links.toLocaleString('en');
  return max_links === null ? count : `${count} of ${max_links.toLocaleString('en')}`;
}

function Quotas({
  provider: { quotas, are_quotas_cut },
}: {
  provider: ShownProvider;
}): ReactElement {
  if (quotas.length === 0) return <span className="muted">{TEXTS.noQuota}</span>;
  return (
    <ul>
      {quotas.map(({ name, limit, used_up, least_left, next_room_at }) => (
        <li key={name}>
          <bdi>{name}</bdi>: {TEXTS.quotaText(least_left, limit, used_up)}, {TEXTS.quotaRoom}{' '}
          <Time at={next_room_at} />
        </li>
      ))}
      {are_quotas_cut && <li className="muted">{TEXTS.quotasCut}</li>}
    </ul>
  );
}

function CheckLines({
  check: { lines },
}: {
  check: NonNullable<ShownProvider['check']>;
}): ReactElement {
  return (
    <ul className={classes.check}>
      {lines.map(({ what, ok, detail, remedy }) => (
        <li key={what}>
          <StateMark
            state={{ tone: ok ? (remedy === null ? 'good' : 'warning') : 'bad', word: what }}
          />
          {detail !== null && (
            <span className="muted">
              <ForeignText text={detail} />
            </span>
          )}
          {remedy !== null && <ForeignText text={remedy} />}
        </li>
      ))}
    </ul>
  );
}

function ProviderActions({
  name,
  path,
  isPaused,
  state,
}: {
  name: string;
  path: string;
  isPaused: boolean;
  state: ShownProvider['state'];
}): ReactElement | null {
  const mayChange = useMayOperate();
  const [dialog, setDialog] = useState<'pause' | 'resume' | null>(null);
  const { send, isSending, failure } = useChange<CheckedProvider>();
  if (!mayChange) return null;
  return (
    <>
      <FailureText failure={failure} />
      <div className={classes.buttons}>
        {state !== 'built_in' && (
          <Button
            variant="default"
            loading={isSending}
            onClick={() => void send({ method: 'POST', path: `${path}/check` })}
          >
            {TEXTS.check}
          </Button>
        )}
        {isPaused && <Button onClick={() => setDialog('resume')}>{TEXTS.resume}</Button>}
        <Button variant="default" onClick={() => setDialog('pause')}>
          {TEXTS.pause}
        </Button>
      </div>
      {dialog !== null && (
        <PauseDialog name={name} path={path} action={dialog} onClose={() => setDialog(null)} />
      )}
    </>
  );
}
