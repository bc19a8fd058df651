import { NativeSelect } from '@mantine/core';
import { useEffect, useRef, type ReactElement } from 'react';
import type {
  LinkTimeline,
  ShownEntry,
  ShownPresent,
} from '../../../../console-server/src/operations/links/link-answers.js';
import { useRead } from '../../data/use-read.js';
import { operationIn, placeIn, useAddress } from '../../frame/address.js';
import { PlaceLink } from '../../frame/place-link.js';
import { stringifySearch } from '../../frame/search.js';
import type { Context } from '../../frame/screen.js';
import { Shown } from '../../frame/states/shown.js';
import { ForeignText } from '../../parts/foreign-text/foreign-text.js';
import { IdText } from '../../parts/id/id.js';
import { Card } from '../../parts/page/page-parts.js';
import { useOnChange } from '../../parts/state/use-on-change.js';
import { TextWithTimes } from '../../parts/time/text-with-times.js';
import { Time } from '../../parts/time/time.js';
import classes from './links.module.css';
import { TEXTS } from './texts.js';

/** Everything that rows tell of the link, newest first. */
export function TimelineCard({
  context,
  linkId,
  version,
}: {
  context: Context;
  linkId: string;
  version: string | null;
}): ReactElement {
  const { value, change, hrefWith } = useAddress();
  const before = value('before');
  const reading = useRead<LinkTimeline>(
    operationIn(
      context,
      `/links/${encodeURIComponent(linkId)}/timeline${stringifySearch({ kinds: value('kinds'), before })}`,
    ),
    { keepsPrevious: true },
  );
  useOnChange(version, reading.again);
  return (
    <Card
      title={TEXTS.timeline}
      aside={
        <NativeSelect
          aria-label={TEXTS.kindsShown}
          value={value('kinds')}
          data={[
            { value: '', label: TEXTS.everything },
            ...Object.entries(TEXTS.timelineKinds).map(([kind, label]) => ({ value: kind, label })),
          ]}
          onChange={({ currentTarget }) =>
            change({ kinds: currentTarget.value || undefined, before: undefined })
          }
        />
      }
    >
      <Shown of={reading} rows={6}>
        {({ entries, before: older, unknown, now }) => (
          <>
            {now !== null && <Present now={now} />}
            {entries.length === 0 && <p className="muted">{TEXTS.noEntries}</p>}
            <ol className={classes.timeline}>
              {entries.map((entry, index) => (
                <Entry key={`${entry.at} ${entry.kind} ${index}`} context={context} entry={entry} />
              ))}
            </ol>
            <div className={classes.timelineEnd}>
              {before !== '' && (
                <PlaceLink href={hrefWith({ before: undefined })}>{TEXTS.newest}</PlaceLink>
              )}
              {older !== null && (
                <PlaceLink href={hrefWith({ before: older })}>{TEXTS.older} ›</PlaceLink>
              )}
            </div>
            {unknown.length > 0 && (
              <details className={classes.unknown}>
                <summary>{TEXTS.unknown}</summary>
                <ul>
                  {unknown.map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                  ))}
                </ul>
              </details>
            )}
          </>
        )}
      </Shown>
    </Card>
  );
}

/** What is true now, which is no history. */
function Present({ now }: { now: ShownPresent }): ReactElement | null {
  const lines = [
    ...now.waiting_refreshes.map(({ product, cause }) =>
      TEXTS.waitingRefresh(TEXTS.productNames[product]?.toLowerCase() ?? product, cause),
    ),
    ...(now.held_events === '0' ? [] : [TEXTS.heldEvents(now.held_events)]),
    ...(now.permissions_to_end === '0' ? [] : [TEXTS.permissionsToEnd(now.permissions_to_end)]),
  ];
  return (
    <div className={classes.present}>
      <strong>{TEXTS.now}</strong>
      <span>
        {TEXTS.nextRefresh('')}
        <Time at={now.next_due_at} absent={TEXTS.noneIsPlanned} />
      </span>
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </div>
  );
}

function Entry({ context, entry }: { context: Context; entry: ShownEntry }): ReactElement {
  const { value } = useAddress();
  const { kind, at, id, title, cause, remedy, lines } = entry;
  const isPointedAt = kind === 'event' && id !== null && value('event') === id;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isPointedAt) row.current?.scrollIntoView({ block: 'center' });
  }, [isPointedAt]);
  return (
    <li
      ref={row}
      className={classes.entry}
      data-kind={kind}
      data-pointed={isPointedAt || undefined}
    >
      <div className={classes.entryHead}>
        <strong>
          <ForeignText text={title} />
        </strong>
        <span className={classes.entryTime}>
          <Time at={at} />
        </span>
      </div>
      {cause !== null && (
        <p>
          <TextWithTimes text={cause} />
        </p>
      )}
      {remedy !== null && (
        <p className={classes.remedy}>
          {TEXTS.remedy}: <TextWithTimes text={remedy} />
        </p>
      )}
      {lines.length > 0 && (
        <ul className={classes.lines}>
          {lines.map((line) => (
            <li key={line}>
              <TextWithTimes text={line} />
            </li>
          ))}
        </ul>
      )}
      <p className={classes.entryFoot}>
        {TEXTS.timelineKinds[kind] ?? kind}
        {id !== null && ' · '}
        {id !== null &&
          (kind === 'event' ? (
            <PlaceLink href={placeIn(context, `/webhooks/${encodeURIComponent(id)}`)}>
              <IdText id={id} />
            </PlaceLink>
          ) : (
            <IdText id={id} />
          ))}
      </p>
    </li>
  );
}
