import type { ReactElement } from 'react';
import type {
  LinkDecision,
  LinkDetail,
  LinkRoute,
} from '../../../../console-server/src/operations/links/link-answers.js';
import { useSession } from '../../data/session.js';
import { useRead } from '../../data/use-read.js';
import { operationIn } from '../../frame/address.js';
import { Icon } from '../../frame/icons.js';
import type { Context } from '../../frame/screen.js';
import { Shown } from '../../frame/states/shown.js';
import { CopyButton } from '../../parts/copy/copy-button.js';
import { Card } from '../../parts/page/page-parts.js';
import { Time } from '../../parts/time/time.js';
import classes from './links.module.css';
import { TEXTS } from './texts.js';
import { workflowAddress } from './workflow-address.js';

/** The workflows of a link, and the choices of its routes. */
export function WorkCard({
  context,
  detail,
}: {
  context: Context;
  detail: LinkDetail;
}): ReactElement {
  const session = useSession();
  const route = useRead<LinkRoute>(
    operationIn(context, `/links/${encodeURIComponent(detail.link_id)}/route`),
  );
  return (
    <Card title={TEXTS.work}>
      <h3>{TEXTS.workflows}</h3>
      <p className="muted small">{TEXTS.workflowsHint}</p>
      <ul className={classes.workflows}>
        {detail.workflow_ids.map((id) => {
          const address = workflowAddress(session, id);
          return (
            <li key={id}>
              {address === null ? (
                <code>{id}</code>
              ) : (
                <a href={address} target="_blank" rel="noreferrer">
                  <code>{id}</code> <Icon name="out" size={14} />
                </a>
              )}
              <CopyButton text={id} label={`Copy workflow ${id}`} />
            </li>
          );
        })}
      </ul>
      <h3 className={classes.second}>{TEXTS.routes}</h3>
      <Shown
        of={route}
        rows={2}
        isEmpty={({ decisions }) => decisions.length === 0}
        empty={<p className="muted small">{TEXTS.noRoutes}</p>}
      >
        {({ decisions, is_cut }) => (
          <>
            <ol className={classes.decisions}>
              {decisions.map((decision) => (
                <Decision
                  key={`${decision.session_id} ${decision.decided_at}`}
                  decision={decision}
                />
              ))}
            </ol>
            {is_cut && <p className="muted small">{TEXTS.routesCut}</p>}
          </>
        )}
      </Shown>
    </Card>
  );
}

function Decision({ decision }: { decision: LinkDecision }): ReactElement {
  const { why, chosen, failed_cause, routes, decided_at } = decision;
  return (
    <li>
      <div className={classes.entryHead}>
        <span>
          {TEXTS.loginOf[why] ?? why}: <strong>{chosen ?? TEXTS.choseNone}</strong>
          {failed_cause !== null && ` · ${TEXTS.failed}: ${failed_cause.replaceAll('_', ' ')}`}
        </span>
        <span className={classes.entryTime}>
          <Time at={decided_at} />
        </span>
      </div>
      <ul className={classes.lines}>
        {routes.map(({ provider, sentence }) => (
          <li key={provider}>
            <bdi>{provider}</bdi>: {sentence}
          </li>
        ))}
      </ul>
    </li>
  );
}
