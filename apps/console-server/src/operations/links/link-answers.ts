import type {
  ShownDecision,
  ShownRoute,
} from '../../../../operator/src/operations/links/shown-decision.js';
import type { ShownLink } from '../../../../operator/src/operations/links/shown-link.js';
import type { ShownTimeline } from '../../../../operator/src/operations/links/shown-timeline.js';

export type * from '../../../../operator/src/operations/links/shown-link.js';
export type * from '../../../../operator/src/operations/links/shown-timeline.js';

/** `GET /apps/:app/:env/links/:link_id/detail`: the output of `links show`, with the newest 20 sessions' workflows. */
export type LinkDetail = ShownLink;

/** `GET /apps/:app/:env/links/:link_id/timeline?kinds&before`: the output of `links timeline`. */
export type LinkTimeline = ShownTimeline;

/** `GET /apps/:app/:env/links/:link_id/route`: the newest 20 choices of a route, newest first. */
export interface LinkRoute {
  decisions: LinkDecision[];
  /** Older ones exist. */
  is_cut: boolean;
}

export type LinkDecision = Omit<ShownDecision, 'routes'> & {
  routes: (ShownRoute & { /** The reason in words. */ sentence: string })[];
};

/** `POST /apps/:app/:env/links/:link_id/move {provider, reason?}` */
export interface MovedLink {
  link_id: string;
  /** The provider of its next sign-in. */
  provider: string;
}
