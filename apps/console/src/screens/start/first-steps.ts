import type { StartFacts } from '../../../../console-server/src/operations/start/start-answers.js';
import { placeIn } from '../../frame/address.js';
import type { DoneHere } from '../../frame/done-here.js';
import type { Context } from '../../frame/screen.js';
import { TEXTS } from './texts.js';

export interface Step {
  title: string;
  /** When it was done; null = it is open. */
  at: string | null;
  /** Only this browser knows of it. */
  isDoneHere?: boolean;
  /** What the step left: its page. */
  result: string | null;
  hint: string;
  action: { href: string; text: string } | null;
}

/**
 * What a newcomer does, in this order. Rows tell that it is done; where none does, this browser
 * remembers that it showed it.
 */
export function firstSteps(context: Context, facts: StartFacts, here: DoneHere): Step[] {
  const isSandbox = context.env === 'sandbox';
  const { key_used_at, linked, delivered, repaired, rotated } = facts;
  const keys = { href: placeIn(context, '/keys'), text: TEXTS.toKeys };
  const linkPlace = (id: string): string => placeIn(context, `/links/${encodeURIComponent(id)}`);
  return [
    { title: TEXTS.key, at: key_used_at, result: null, hint: TEXTS.keyHint, action: keys },
    {
      title: isSandbox ? TEXTS.link : TEXTS.linkLive,
      at: linked?.at ?? null,
      result: linked && linkPlace(linked.link_id),
      hint: isSandbox ? TEXTS.linkHint : TEXTS.linkLiveHint,
      action: isSandbox ? { href: placeIn(context, '/try'), text: TEXTS.toSandbox } : null,
    },
    {
      title: TEXTS.accounts,
      at: here.accounts ?? null,
      isDoneHere: true,
      result: null,
      hint: TEXTS.accountsHint,
      action: linked && { href: linkPlace(linked.link_id), text: TEXTS.toLink },
    },
    {
      title: TEXTS.deliver,
      at: delivered?.at ?? null,
      result: delivered && placeIn(context, `/webhooks/${encodeURIComponent(delivered.event_id)}`),
      hint: TEXTS.deliverHint,
      action: { href: placeIn(context, '/webhooks'), text: TEXTS.toWebhooks },
    },
    {
      title: TEXTS.verify,
      at: here.verify ?? null,
      isDoneHere: true,
      result: null,
      hint: TEXTS.verifyHint,
      action: delivered && {
        href: placeIn(context, `/webhooks/${encodeURIComponent(delivered.event_id)}?tab=verify`),
        text: TEXTS.toVerify,
      },
    },
    {
      title: TEXTS.repair,
      at: repaired?.at ?? null,
      result: repaired && linkPlace(repaired.link_id),
      hint: isSandbox ? TEXTS.repairHint : TEXTS.repairLiveHint,
      action: isSandbox ? { href: placeIn(context, '/try'), text: TEXTS.toTry } : null,
    },
    {
      title: TEXTS.rotate,
      at: rotated?.at ?? null,
      result: rotated && keys.href,
      hint: TEXTS.rotateHint,
      action: keys,
    },
  ];
}
