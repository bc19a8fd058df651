import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type {
  WebhookEvent,
  WebhooksListEventsResult,
} from '../../../../../clients/node/src/generated/types.js';
import { useMayChange } from '../../frame/use-may-change.js';
import { LIVELY_MS, useRead } from '../../data/use-read.js';
import { nativeIn, placeIn, useAddress, useContextOfPath } from '../../frame/address.js';
import { Command } from '../../frame/command.js';
import { PageTitle } from '../../frame/page-title.js';
import { PlaceLink } from '../../frame/place-link.js';
import { stringifySearch } from '../../frame/search.js';
import { Shown } from '../../frame/states/shown.js';
import { StateText } from '../../frame/states/state-text.js';
import { CopyButton } from '../../parts/copy/copy-button.js';
import { FilterBar, filtersInUse, OrderField } from '../../parts/filters/filter-bar.js';
import { IdText } from '../../parts/id/id.js';
import { StateMark } from '../../parts/state/state-mark.js';
import { eventStatus } from '../../parts/state/states.js';
import { Table, type Column } from '../../parts/table/table.js';
import { useHeldRows } from '../../parts/table/use-held-rows.js';
import { Time } from '../../parts/time/time.js';
import { FILTERS } from './event-filters.js';
import { ReplayDialog } from './replay-dialog.js';
import { TestDialog } from './test-dialog.js';
import { TEXTS } from './texts.js';
import { WebhookTabs } from './webhook-tabs.js';

const PAGE_SIZE = '50';

export default function EventsPage(): ReactElement {
  const context = useContextOfPath();
  const { value, change, hrefWith } = useAddress();
  const mayChange = useMayChange();
  const [dialog, setDialog] = useState<'replay' | 'test' | null>(null);
  const names = [...FILTERS.map(({ name }) => name), 'cursor'];
  const path = nativeIn(
    context,
    `/webhooks/events${stringifySearch({
      ...Object.fromEntries(names.map((name) => [name, value(name)])),
      order: value('order') || 'desc',
      limit: PAGE_SIZE,
    })}`,
  );
  const reading = useRead<WebhooksListEventsResult>(path, {
    every: LIVELY_MS,
    keepsPrevious: true,
  });
  const isFiltered = filtersInUse(FILTERS, value).length > 0;
  return (
    <>
      <PageTitle
        title={TEXTS.webhooks}
        actions={
          mayChange && (
            <>
              <Button variant="default" onClick={() => setDialog('replay')}>
                {TEXTS.replayMany}
              </Button>
              <Button variant="default" onClick={() => setDialog('test')}>
                {TEXTS.sendTest}
              </Button>
            </>
          )
        }
      />
      <WebhookTabs context={context} current="events" />
      <FilterBar filters={FILTERS} order={<OrderField fallback="desc" />} />
      <Shown
        of={reading}
        rows={8}
        isEmpty={({ events, has_more }) => events.length === 0 && !has_more}
        empty={
          isFiltered || value('cursor') !== '' ? (
            <StateText
              title={TEXTS.nothingFound}
              actions={
                <Button
                  variant="default"
                  onClick={() => change(Object.fromEntries(names.map((name) => [name, undefined])))}
                >
                  {TEXTS.clear}
                </Button>
              }
            />
          ) : (
            <StateText
              title={TEXTS.noEvent}
              actions={
                context.env === 'sandbox' && (
                  <Button component={PlaceLink} href={placeIn(context, '/try')}>
                    {TEXTS.toSandbox}
                  </Button>
                )
              }
            >
              <p>{TEXTS.noEventHint}</p>
              <p>{TEXTS.noAddress}</p>
              <Command text={TEXTS.listen} />
            </StateText>
          )
        }
      >
        {({ events, has_more, cursor }) =>
          events.length === 0 ? (
            <StateText
              title={TEXTS.noneYet}
              actions={
                <Button
                  component={PlaceLink}
                  variant="default"
                  href={hrefWith({ cursor: cursor.next })}
                >
                  {TEXTS.lookFurther}
                </Button>
              }
            />
          ) : (
            <EventTable list={path} events={events} next={has_more ? cursor.next : null} />
          )
        }
      </Shown>
      {dialog === 'replay' && <ReplayDialog context={context} onClose={() => setDialog(null)} />}
      {dialog === 'test' && (
        <TestDialog context={context} linkId={value('link_id')} onClose={() => setDialog(null)} />
      )}
    </>
  );
}

const COLUMNS: readonly Column<WebhookEvent>[] = [
  {
    id: 'name',
    title: TEXTS.name,
    isFixed: true,
    cell: ({ webhook_event }) => <bdi>{webhook_event}</bdi>,
  },
  {
    id: 'status',
    title: TEXTS.status,
    card: 'head',
    cell: ({ status, attempts }) => <StateMark state={eventStatus(status, attempts)} />,
  },
  {
    id: 'link',
    title: TEXTS.sessionOrLink,
    cell: ({ link_id }) => <IdText id={link_id} />,
    beside: ({ link_id }) => <CopyButton text={link_id} label={`Copy ${link_id}`} />,
  },
  {
    id: 'origin',
    title: TEXTS.origin,
    card: 'hidden',
    cell: ({ origin }) => TEXTS.origins[origin] ?? origin,
  },
  {
    id: 'next',
    title: TEXTS.nextAttempt,
    cell: ({ next_attempt_at }) => next_attempt_at !== null && <Time at={next_attempt_at} inRow />,
  },
  {
    id: 'created',
    title: TEXTS.created,
    card: 'corner',
    width: '128px',
    cell: ({ created_at }) => <Time at={created_at} inRow />,
  },
];

function EventTable({
  list,
  events,
  next,
}: {
  list: string;
  events: readonly WebhookEvent[];
  next: string | null;
}): ReactElement {
  const context = useContextOfPath();
  const { value, hrefWith } = useAddress();
  const { rows, waiting, showAll } = useHeldRows(list, events, ({ event_id }) => event_id);
  return (
    <Table
      name={TEXTS.events}
      columns={COLUMNS}
      rows={rows}
      keyOf={({ event_id }) => event_id}
      hrefOf={({ event_id }) => placeIn(context, `/webhooks/${encodeURIComponent(event_id)}`)}
      waiting={waiting}
      onShowWaiting={showAll}
      olderHref={next === null ? null : hrefWith({ cursor: next })}
      newestHref={value('cursor') === '' ? null : hrefWith({ cursor: undefined })}
    />
  );
}
