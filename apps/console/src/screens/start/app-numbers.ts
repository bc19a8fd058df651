import type { Counts } from '../../../../console-server/src/operations/start/start-answers.js';
import { placeIn } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';
import { countText } from './count-text.js';
import type { ShownNumber } from './numbers.js';
import { TEXTS } from './texts.js';

const LINK_ERRORS = Object.keys(TEXTS.linkErrors) as (keyof typeof TEXTS.linkErrors)[];

/** What was counted of an app, with the lists behind the numbers. */
export function appNumbers(context: Context, counts: Counts): ShownNumber[] {
  const { links_in_error, events, sessions, limit } = counts;
  const at = (path: string): string => placeIn(context, path);
  const errors = LINK_ERRORS.map((error) => ({
    name: TEXTS.linkErrors[error],
    count: links_in_error[error],
    limit,
    href: at(`/links?state=error&error=${error}`),
    isBad: true,
  })).filter(({ count }) => count > 0);
  return [
    ...(errors.length > 0
      ? errors
      : [{ name: TEXTS.linksInError, count: 0, limit, href: at('/links?state=error') }]),
    {
      name: TEXTS.exhausted,
      count: events.exhausted,
      limit,
      href: at('/webhooks?status=exhausted'),
      isBad: true,
    },
    {
      name: TEXTS.disabled,
      count: events.disabled,
      limit,
      href: at('/webhooks?status=disabled'),
      isBad: true,
    },
    { name: TEXTS.pending, count: events.pending, limit, href: at('/webhooks?status=pending') },
    {
      name: TEXTS.sessionsOpen,
      count: sessions.open,
      limit,
      href: at('/links/attempts?state=open'),
    },
    {
      name: TEXTS.sessionsCreated,
      count: sessions.created,
      limit,
      href: at('/links/attempts?state=created'),
    },
  ];
}

/** What a person should look at, in one line. */
export function attention({ links_in_error, events, limit }: Counts): string {
  const owners =
    links_in_error.auth_expired + links_in_error.user_error + links_in_error.incomplete;
  const faults =
    links_in_error.institution_error + links_in_error.provider_error + links_in_error.system_error;
  const parts = (
    [
      [owners, TEXTS.owners],
      [faults, TEXTS.faults],
      [events.exhausted, TEXTS.givenUp],
    ] as const
  ).flatMap(([count, text]) => (count === 0 ? [] : [text(countText(count, limit), count === 1)]));
  return parts.length === 0 ? TEXTS.calm : parts.join(' · ');
}
