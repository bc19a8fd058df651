import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { Institution } from '../../../../../clients/node/src/generated/types.js';
import type { BankDay } from '../../../../console-server/src/operations/banks/bank-answers.js';
import type {
  BankDetail,
  ExplainedRoute,
} from '../../../../console-server/src/operations/institutions/institution-shapes.js';
import { useSession } from '../../data/session.js';
import { useMayOperate } from '../../frame/use-may-change.js';
import { CALM_MS, useRead } from '../../data/use-read.js';
import { nativeIn, operationIn, useAddress, usePathValue } from '../../frame/address.js';
import { Icon } from '../../frame/icons.js';
import { useContextOfPage } from '../../frame/last-context.js';
import { PageTitle } from '../../frame/page-title.js';
import type { Context } from '../../frame/screen.js';
import { Shown } from '../../frame/states/shown.js';
import { HourBars } from '../../parts/chart/hour-bars.js';
import { Id } from '../../parts/id/id.js';
import { Card, Parent, Stack } from '../../parts/page/page-parts.js';
import { StateMark } from '../../parts/state/state-mark.js';
import classes from './banks.module.css';
import { PauseDialog } from './pause-dialog.js';
import { PauseText } from './pause-text.js';
import { RouteHealth } from './route-health.js';
import { TEXTS } from './texts.js';

/** One bank: how its day went for an app, and for operators its routes and pauses. */
export default function BankPage(): ReactElement {
  const institutionId = usePathValue('institution_id');
  const { role } = useSession();
  const context = useContextOfBank();
  return (
    <>
      <Parent href="/banks" name={TEXTS.banks} />
      {role === 'operator' ? (
        <BankOfInstance institutionId={institutionId} context={context} />
      ) : (
        context !== null && <BankOfApp institutionId={institutionId} context={context} />
      )}
    </>
  );
}

/** The app and environment in the query, else those that were used last. */
function useContextOfBank(): Context | null {
  const { value } = useAddress();
  const last = useContextOfPage();
  const env = value('env');
  const app = value('app') || last?.app;
  if (app === undefined) return null;
  return { app, env: env === 'live' || env === 'sandbox' ? env : (last?.env ?? 'sandbox') };
}

interface BankProps {
  institutionId: string;
  context: Context | null;
}

function BankOfInstance({ institutionId, context }: BankProps): ReactElement {
  const path = `/instance/banks/${encodeURIComponent(institutionId)}`;
  const reading = useRead<BankDetail>(path, { every: CALM_MS });
  const mayChange = useMayOperate();
  const [dialog, setDialog] = useState<'pause' | 'resume' | null>(null);
  const bank = reading.data;
  return (
    <>
      <PageTitle
        title={bank?.name ?? TEXTS.bank}
        actions={
          mayChange &&
          bank !== undefined && (
            <>
              {bank.paused !== null && (
                <Button onClick={() => setDialog('resume')}>{TEXTS.resume}</Button>
              )}
              <Button variant="default" onClick={() => setDialog('pause')}>
                {TEXTS.pause}
              </Button>
            </>
          )
        }
      >
        <Id id={institutionId} whole noun="bank" />
      </PageTitle>
      <Shown of={reading} missing={TEXTS.unknownBank}>
        {({ routes, explained, paused, is_hidden }) => (
          <Stack>
            {paused !== null && (
              <p className={classes.pause}>
                <Icon name="warning" size={16} />
                <PauseText pause={paused} />
              </p>
            )}
            {is_hidden && <p className={classes.pause}>{TEXTS.hidden}</p>}
            <Card title={TEXTS.health}>
              <div className={classes.routes}>
                {routes.length === 0 && <span className="muted">{TEXTS.noRoutes}</span>}
                {routes.map((route) => (
                  <RouteHealth key={route.provider} route={route} />
                ))}
              </div>
            </Card>
            <DayCard institutionId={institutionId} context={context} />
            <Card title={TEXTS.routesTitle}>
              <ExplainedRoutes routes={explained} />
            </Card>
          </Stack>
        )}
      </Shown>
      {dialog !== null && (
        <PauseDialog
          name={bank?.name ?? institutionId}
          path={path}
          action={dialog}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}

function BankOfApp({ institutionId, context }: BankProps & { context: Context }): ReactElement {
  const reading = useRead<Institution>(
    nativeIn(context, `/institutions/${encodeURIComponent(institutionId)}`),
  );
  return (
    <>
      <PageTitle title={reading.data?.name ?? TEXTS.bank}>
        <Id id={institutionId} whole noun="bank" />
      </PageTitle>
      <Shown of={reading} missing={TEXTS.unknownBank}>
        {() => <DayCard institutionId={institutionId} context={context} />}
      </Shown>
    </>
  );
}

function DayCard({ institutionId, context }: BankProps): ReactElement {
  const { apps, grafana_url: metrics } = useSession();
  const reading = useRead<BankDay>(
    context === null
      ? null
      : operationIn(context, `/banks/${encodeURIComponent(institutionId)}/day`),
    { every: CALM_MS },
  );
  if (context === null)
    return (
      <Card title={TEXTS.day}>
        <p className="muted">{TEXTS.noContext}</p>
      </Card>
    );
  const name = apps.find(({ app_id }) => app_id === context.app)?.name ?? context.app;
  return (
    <Card
      title={TEXTS.day}
      aside={
        <span className="muted small">
          {TEXTS.dayOf(name, TEXTS.environments[context.env] ?? context.env)}
          {metrics !== null && /^https?:\/\//.test(metrics) && (
            <>
              {' · '}
              <a href={metrics} target="_blank" rel="noreferrer">
                {TEXTS.metrics} ↗
              </a>
            </>
          )}
        </span>
      }
    >
      <Shown of={reading} rows={6}>
        {({ hours, refreshes, links_counted, is_cut }) => (
          <div className={classes.charts}>
            <div>
              <h3>{TEXTS.attempts}</h3>
              <HourBars subject={TEXTS.attempts} hours={hours} />
            </div>
            <div>
              <h3>{TEXTS.refreshes}</h3>
              <HourBars subject={TEXTS.refreshes} hours={refreshes} />
              <p className="muted small">{TEXTS.refreshesHint(TEXTS.links(links_counted))}</p>
            </div>
            {is_cut && <p className="muted small">{TEXTS.cut}</p>}
          </div>
        )}
      </Shown>
    </Card>
  );
}

const TONES = { chosen: 'good', possible: 'waiting', dropped: 'off' } as const;

function ExplainedRoutes({ routes }: { routes: readonly ExplainedRoute[] }): ReactElement {
  if (routes.length === 0) return <p className="muted">{TEXTS.noRoutes}</p>;
  return (
    <ul className={classes.explained}>
      {routes.map(({ provider, verdict, why, preferred }) => (
        <li key={provider}>
          <bdi className={classes.provider}>{provider}</bdi>
          <StateMark state={{ tone: TONES[verdict], word: TEXTS.verdicts[verdict] ?? verdict }} />
          <span className="muted">
            {why}
            {preferred && ` (${TEXTS.preferred})`}
          </span>
        </li>
      ))}
    </ul>
  );
}
