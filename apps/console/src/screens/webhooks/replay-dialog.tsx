import { Button, Checkbox, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type {
  ReplayWebhookEventsRequest,
  WebhooksReplayEventsResult,
} from '../../../../../clients/node/src/generated/types.js';
import { useChange } from '../../data/use-change.js';
import { nativeIn, useAddress } from '../../frame/address.js';
import { useZone } from '../../frame/preferences.js';
import type { Context } from '../../frame/screen.js';
import { FailureText } from '../../parts/confirm/failure-text.js';
import { Dialog } from '../../frame/dialog/dialog.js';
import { fromInput, toInput } from '../../parts/time/format-time.js';
import { parseTime } from '../../parts/time/parse-time.js';
import { useNow } from '../../parts/time/use-now.js';
import { STATUSES } from './event-filters.js';
import { TEXTS } from './texts.js';
import classes from './webhooks.module.css';

const MAX_REPLAYED = 1_000;
const DAY_MS = 86_400_000;

/** Replays what a filter matches, not what a page shows: first it is counted, then sent. */
export function ReplayDialog({
  context,
  onClose,
}: {
  context: Context;
  onClose: () => void;
}): ReactElement {
  const { value } = useAddress();
  const [zone] = useZone();
  const now = useNow();
  const since = parseTime(value('created_after')) ?? new Date(now.getTime() - DAY_MS);
  const until = parseTime(value('created_before'));
  const [after, setAfter] = useState(() => toInput(since, zone));
  const [before, setBefore] = useState(() => (until === null ? '' : toInput(until, zone)));
  const [linkId, setLinkId] = useState(value('link_id'));
  const [name, setName] = useState(value('webhook_event'));
  const [statuses, setStatuses] = useState<readonly string[]>(
    value('status') === '' ? ['exhausted'] : [value('status')],
  );
  const [counted, setCounted] = useState<WebhooksReplayEventsResult | null>(null);
  const { send, isSending, failure, clear } = useChange<WebhooksReplayEventsResult>();
  const isDone = counted !== null && !counted.dry_run;
  const isTooMany = counted !== null && counted.dry_run && counted.matched > MAX_REPLAYED;
  const edited =
    <Value,>(set: (next: Value) => void) =>
    (next: Value): void => {
      setCounted(null);
      clear();
      set(next);
    };
  const run = async (dryRun: boolean): Promise<void> => {
    const createdBefore = fromInput(before, zone);
    const body: ReplayWebhookEventsRequest = {
      created_after: fromInput(after, zone) ?? '',
      ...(createdBefore === null ? {} : { created_before: createdBefore }),
      ...(linkId.trim() === '' ? {} : { link_id: linkId.trim() }),
      ...(name.trim() === '' ? {} : { webhook_event: name.trim() }),
      status: [...statuses] as ReplayWebhookEventsRequest['status'],
      limit: MAX_REPLAYED,
      dry_run: dryRun,
    };
    const sent = await send({
      method: 'POST',
      path: nativeIn(context, '/webhooks/events/replay'),
      body,
    });
    if (sent !== undefined) setCounted(sent.answer);
  };
  const canReplay = counted !== null && counted.dry_run && counted.matched > 0 && !isTooMany;
  return (
    <Dialog onClose={onClose} title={TEXTS.replayTitle}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isDone) onClose();
          else void run(!canReplay);
        }}
      >
        <p className="muted">{TEXTS.replayText}</p>
        <div className={classes.pair}>
          <TextInput
            label={TEXTS.replayAfter}
            type="datetime-local"
            required
            value={after}
            onChange={({ currentTarget }) => edited(setAfter)(currentTarget.value)}
          />
          <TextInput
            label={TEXTS.replayBefore}
            type="datetime-local"
            value={before}
            onChange={({ currentTarget }) => edited(setBefore)(currentTarget.value)}
          />
          <TextInput
            label={TEXTS.link}
            value={linkId}
            onChange={({ currentTarget }) => edited(setLinkId)(currentTarget.value)}
          />
          <TextInput
            label={TEXTS.name}
            value={name}
            onChange={({ currentTarget }) => edited(setName)(currentTarget.value)}
          />
        </div>
        <Checkbox.Group
          label={TEXTS.replayStatuses}
          value={[...statuses]}
          onChange={edited(setStatuses)}
        >
          <div className={classes.choices}>
            {STATUSES.map(([status, label]) => (
              <Checkbox key={status} value={status} label={label} size="sm" />
            ))}
          </div>
        </Checkbox.Group>
        <p role="status" className={classes.result}>
          {counted !== null &&
            (isDone
              ? TEXTS.replayDone(counted.replayed, counted.skipped)
              : counted.matched === 0
                ? TEXTS.noMatch
                : isTooMany
                  ? TEXTS.tooMany
                  : TEXTS.matched(counted.matched))}
        </p>
        <FailureText failure={failure} />
        <div className={classes.buttons}>
          {isDone ? (
            <Button onClick={onClose}>{TEXTS.close}</Button>
          ) : (
            <>
              <Button
                variant={canReplay ? 'default' : 'filled'}
                loading={isSending && !canReplay}
                // Without one, the API would choose those that were not delivered.
                disabled={statuses.length === 0}
                onClick={() => void run(true)}
              >
                {TEXTS.dryRun}
              </Button>
              {canReplay && (
                <Button type="submit" loading={isSending}>
                  {TEXTS.replayNow(counted.matched)}
                </Button>
              )}
            </>
          )}
        </div>
      </form>
    </Dialog>
  );
}
