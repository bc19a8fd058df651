import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type {
  WebhookEventInFull,
  WebhooksReplayEventResult,
} from '../../../../../clients/node/src/generated/types.js';
import { useMayChange } from '../../frame/use-may-change.js';
import { useChange } from '../../data/use-change.js';
import { LIVELY_MS, useRead } from '../../data/use-read.js';
import {
  nativeIn,
  placeIn,
  useAddress,
  useContextOfPath,
  usePathValue,
} from '../../frame/address.js';
import { PageTitle } from '../../frame/page-title.js';
import { PlaceLink } from '../../frame/place-link.js';
import type { Context } from '../../frame/screen.js';
import { Shown } from '../../frame/states/shown.js';
import { Confirm } from '../../parts/confirm/confirm.js';
import { announce } from '../../parts/copy/announce.js';
import { Id } from '../../parts/id/id.js';
import { AddressTabs, Facts, Parent, Stack } from '../../parts/page/page-parts.js';
import { StateMark } from '../../parts/state/state-mark.js';
import { eventStatus } from '../../parts/state/states.js';
import { Time } from '../../parts/time/time.js';
import { AttemptsPart } from './attempts-part.js';
import { RequestPart } from './request-part.js';
import { TEXTS } from './texts.js';
import { VerifyPart } from './verify-part.js';

const PARTS = ['attempts', 'request', 'verify'] as const;
type Part = (typeof PARTS)[number];

/** One event: what was sent, how often, and whether its signature is right. */
export default function EventPage(): ReactElement {
  const context = useContextOfPath();
  const eventId = usePathValue('event_id');
  const { value, hrefWith } = useAddress();
  const mayChange = useMayChange();
  const [isAsking, setAsking] = useState(false);
  const part = PARTS.find((known) => known === value('tab')) ?? 'attempts';
  const reading = useRead<WebhookEventInFull>(
    nativeIn(context, `/webhooks/events/${encodeURIComponent(eventId)}`),
    { every: LIVELY_MS },
  );
  return (
    <>
      <Parent href={placeIn(context, '/webhooks')} name={TEXTS.webhooks} />
      <PageTitle
        title={reading.data?.webhook_event ?? TEXTS.event}
        actions={
          mayChange &&
          reading.data !== undefined && (
            <Button onClick={() => setAsking(true)}>{TEXTS.replay}</Button>
          )
        }
      >
        <Id id={eventId} whole noun="event" />
      </PageTitle>
      <Shown of={reading} missing={TEXTS.unknownEvent}>
        {(event) => (
          <Stack>
            <EventFacts context={context} event={event} />
            <div>
              <AddressTabs
                name={TEXTS.tabs}
                current={part}
                tabs={PARTS.map((id) => ({
                  id,
                  title: TEXTS[id],
                  href: hrefWith({ tab: id === 'attempts' ? undefined : id }),
                }))}
              />
              <PartOfEvent part={part} context={context} event={event} />
            </div>
          </Stack>
        )}
      </Shown>
      {isAsking && (
        <ReplayOne context={context} eventId={eventId} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

function PartOfEvent({
  part,
  context,
  event,
}: {
  part: Part;
  context: Context;
  event: WebhookEventInFull;
}): ReactElement {
  switch (part) {
    case 'attempts':
      return <AttemptsPart context={context} event={event} />;
    case 'request':
      return <RequestPart context={context} eventId={event.event_id} />;
    case 'verify':
      return <VerifyPart context={context} eventId={event.event_id} />;
  }
}

function EventFacts({
  context,
  event,
}: {
  context: Context;
  event: WebhookEventInFull;
}): ReactElement {
  const { link_id: linkId, created_at, status, attempts, origin, next_attempt_at } = event;
  return (
    <Facts
      facts={[
        [TEXTS.status, <StateMark key="status" state={eventStatus(status, attempts)} />],
        [TEXTS.created, <Time key="created" at={created_at} form="exact" />],
        [
          TEXTS.sessionOrLink,
          <span key="link">
            {linkId.startsWith('mk_') ? (
              <PlaceLink href={placeIn(context, `/links/${encodeURIComponent(linkId)}`)}>
                <bdi>{linkId}</bdi>
              </PlaceLink>
            ) : (
              <Id id={linkId} whole />
            )}
          </span>,
        ],
        [TEXTS.origin, TEXTS.origins[origin] ?? origin],
        ...(next_attempt_at === null
          ? []
          : ([[TEXTS.nextAttempt, <Time key="next" at={next_attempt_at} />]] as const)),
      ]}
    />
  );
}

function ReplayOne({
  context,
  eventId,
  onClose,
}: {
  context: Context;
  eventId: string;
  onClose: () => void;
}): ReactElement {
  const { send, isSending, failure } = useChange<WebhooksReplayEventResult>();
  const replay = async (): Promise<void> => {
    const sent = await send({
      method: 'POST',
      path: nativeIn(context, `/webhooks/events/${encodeURIComponent(eventId)}/replay`),
    });
    if (sent === undefined) return;
    announce(TEXTS.replayed);
    onClose();
  };
  return (
    <Confirm
      title={TEXTS.askReplay}
      action={TEXTS.replay}
      isSending={isSending}
      failure={failure}
      onConfirm={() => void replay()}
      onClose={onClose}
    >
      <p>{TEXTS.askReplayText}</p>
    </Confirm>
  );
}
