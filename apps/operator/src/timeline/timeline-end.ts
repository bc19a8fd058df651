import type { TimelineLink } from '../../../../prisma/links/timeline/timeline-row.js';

/** Everything that the rows of a link cannot tell, for the end of its timeline. */
export function unknownOf({ webhookFormat }: Pick<TimelineLink, 'webhookFormat'>): string[] {
  return [
    'Events are kept for WEBHOOK_EVENT_RETENTION, sessions and the choice of their routes for SESSION_RETENTION (90 days unless set): older ones are gone.',
    'Why a refresh that ended was started, and how often it was tried: requests are deleted with their result.',
    ...(webhookFormat === 'plaid'
      ? [
          'Anything but webhooks of this link in the format of Plaid: no refresh without a change, and no step before its connection.',
        ]
      : []),
    'Calls of the app, and who made them: there is no request log.',
    'Steps inside a session, and earlier webhook addresses, tags and products.',
    'Webhooks of the source, which are sealed, and the health of the bank at that time.',
  ];
}
