import type { JudgedRoute, RouteReason } from '../../../domain/institutions/route-choice.js';

/** Reasons as text for people, by their effect on the route. Programs get their names. */
const SENTENCES: Record<RouteReason, Partial<Record<JudgedRoute['verdict'], string>>> = {
  other_environment: { dropped: 'Its configuration belongs to the other environment.' },
  disabled: { dropped: 'Its configuration is disabled.' },
  keys_refused: {
    dropped: 'The source refuses the keys of its configuration (see providers check).',
  },
  not_pinned: { dropped: 'The addresses of the bank are not pinned yet (see providers check).' },
  not_allowed_for_app: { dropped: 'The app may not use it (see apps providers).' },
  not_in_session: { dropped: 'The session names other providers.' },
  lacks_products: { dropped: 'It does not offer every required product.' },
  has_no_redirect: {
    dropped: "The user is on the way to the bank's own pages, and it has none.",
  },
  full: { dropped: 'It serves as many links as it may (see providers set --max-links).' },
  just_failed: {
    chosen: 'It is tried because another one failed in this session.',
    possible: 'It failed in this session.',
    dropped: 'Its first call in this login failed.',
  },
  needs_redirect_uri: {
    chosen: 'It needs no redirect_uri, and the session has none.',
    possible: 'It needs a redirect_uri, and the session has none.',
  },
  moved_by_operator: {
    chosen: 'An operator moved the link to it (links move).',
    possible: 'An operator moved the link to another one (links move).',
  },
  down: {
    chosen: 'It works, and the next one is down.',
    possible: 'It is down: recent calls failed, or its source reports it.',
  },
  serves_the_link: {
    chosen: 'It serves the link.',
    possible: 'Another one serves the link.',
  },
  session_order: {
    chosen: 'It comes first in the order of the session.',
    possible: 'It comes later in the order of the session.',
  },
  app_order: {
    chosen: 'It comes first in the order of the app (apps providers).',
    possible: 'It comes later in the order of the app (apps providers).',
  },
  preferred: {
    chosen: 'An operator prefers it (routes prefer).',
    possible: 'An operator prefers another one (routes prefer).',
  },
  priority: {
    chosen: 'It has the highest priority of those that are left.',
    possible: 'It has a lower priority.',
  },
  health: {
    chosen: 'Fewer of its recent calls failed.',
    possible: 'More of its recent calls failed.',
  },
  price: { chosen: 'It costs less.', possible: 'It costs more.' },
  name: {
    chosen: 'It comes first by name; nothing else sets it apart.',
    possible: 'It comes later by name; nothing else sets it apart.',
  },
  only_route: { chosen: 'It is the only possible route.' },
};

/** The reason for a route's rank, as a sentence. */
export function reasonSentence({
  verdict,
  reason,
}: Pick<JudgedRoute, 'verdict' | 'reason'>): string {
  return SENTENCES[reason][verdict] ?? reason;
}
