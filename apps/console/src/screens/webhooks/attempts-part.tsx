import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import type {
  WebhookAttempt,
  WebhookDelivery,
  WebhookEventInFull,
} from '../../../../../clients/node/src/generated/types.js';
import type { ChangedDelivery } from '../../../../console-server/src/operations/webhooks/webhook-answers.js';
import { useMayOperate } from '../../frame/use-may-change.js';
import { useChange } from '../../data/use-change.js';
import { operationIn } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';
import { StateText } from '../../frame/states/state-text.js';
import { FailureText } from '../../parts/confirm/failure-text.js';
import { ForeignText } from '../../parts/foreign-text/foreign-text.js';
import { Id } from '../../parts/id/id.js';
import { Stack } from '../../parts/page/page-parts.js';
import { StateMark } from '../../parts/state/state-mark.js';
import { eventStatus } from '../../parts/state/states.js';
import { Table, type Column } from '../../parts/table/table.js';
import { Time } from '../../parts/time/time.js';
import { failureWords } from './failure-words.js';
import { TEXTS } from './texts.js';
import classes from './webhooks.module.css';

const COLUMNS: readonly Column<WebhookAttempt>[] = [
  {
    id: 'attempt',
    title: TEXTS.attempt,
    card: 'hidden',
    width: '80px',
    cell: ({ attempt }) => attempt,
  },
  {
    id: 'response',
    title: TEXTS.response,
    card: 'head',
    width: '200px',
    cell: ({ http_status, error }) => (
      <StateMark
        state={{
          tone: error === null ? 'good' : 'bad',
          word: failureWords(http_status, error),
        }}
      />
    ),
  },
  {
    id: 'at',
    title: TEXTS.at,
    card: 'corner',
    width: '160px',
    cell: ({ started_at }) => (
      <>
        <Time at={started_at} form="day" inRow /> (<Time at={started_at} form="clock" inRow />)
      </>
    ),
  },
  {
    id: 'took',
    title: TEXTS.took,
    isNumber: true,
    width: '96px',
    cell: ({ duration_ms }) => `${duration_ms.toLocaleString('en')} ms`,
  },
  {
    id: 'excerpt',
    title: TEXTS.excerpt,
    cell: ({ response_excerpt }) =>
      response_excerpt !== null && <ForeignText text={response_excerpt} />,
  },
];

/** The deliveries of an event, newest first, each with its attempts. */
export function AttemptsPart({
  context,
  event,
}: {
  context: Context;
  event: WebhookEventInFull;
}): ReactElement {
  const remedy = TEXTS.remedies[event.status];
  if (event.deliveries.length === 0)
    return <StateText title={TEXTS.noDelivery}>{remedy}</StateText>;
  return (
    <Stack>
      {remedy !== undefined && <p className={classes.remedy}>{remedy}</p>}
      {event.deliveries.toReversed().map((delivery) => (
        <Delivery key={delivery.delivery_token} context={context} delivery={delivery} />
      ))}
    </Stack>
  );
}

function Delivery({
  context,
  delivery,
}: {
  context: Context;
  delivery: WebhookDelivery;
}): ReactElement {
  const { delivery_token: token, url, reason, status, created_at, attempts } = delivery;
  return (
    <section className={classes.delivery} aria-label={`${TEXTS.delivery} ${token}`}>
      <div className={classes.deliveryHead}>
        <StateMark state={eventStatus(status)} />
        <span className="muted">
          {TEXTS.delivery} {TEXTS.reasons[reason] ?? reason}, <Time at={created_at} form="day" />
        </span>
        <Id id={token} noun="delivery" />
        <DeliveryActions context={context} delivery={delivery} />
      </div>
      {url !== null && (
        <p className={classes.url}>
          <ForeignText text={url} />
        </p>
      )}
      {attempts.length === 0 ? (
        <p className={classes.none}>{TEXTS.noAttempt}</p>
      ) : (
        <Table
          name={`${TEXTS.attempts} ${token}`}
          columns={COLUMNS}
          rows={attempts.toReversed()}
          keyOf={({ attempt, started_at }) => `${attempt} ${started_at}`}
        />
      )}
    </section>
  );
}

/** An operator can make the next attempt now, or stop them. */
function DeliveryActions({
  context,
  delivery: { delivery_token: token, status },
}: {
  context: Context;
  delivery: WebhookDelivery;
}): ReactElement | null {
  const mayChange = useMayOperate();
  const { send, isSending, failure } = useChange<ChangedDelivery>();
  const canRetry = status === 'pending' || status === 'exhausted';
  if (!mayChange || !canRetry) return null;
  const change = (action: 'retry' | 'cancel'): void =>
    void send({
      method: 'POST',
      path: operationIn(context, `/deliveries/${encodeURIComponent(token)}/${action}`),
    });
  return (
    <span className={classes.deliveryActions}>
      <Button
        size="compact-sm"
        variant="default"
        loading={isSending}
        onClick={() => change('retry')}
      >
        {TEXTS.retry}
      </Button>
      {status === 'pending' && (
        <Button
          size="compact-sm"
          variant="default"
          loading={isSending}
          onClick={() => change('cancel')}
        >
          {TEXTS.cancel}
        </Button>
      )}
      <FailureText failure={failure} />
    </span>
  );
}
