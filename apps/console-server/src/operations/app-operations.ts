import { APP_OVERVIEW } from './apps/app-overview.js';
import { BANK_DAY } from './banks/bank-day.js';
import { FIND } from './find/find.js';
import { LINK_DETAIL } from './links/link-detail.js';
import { LINK_ROUTE } from './links/link-route.js';
import { LINK_TIMELINE } from './links/link-timeline.js';
import { MOVE_LINK } from './links/move-link.js';
import type { Operation } from './operation.js';
import { END_SECRET, ROTATE_SECRET } from './pairs/change-secrets.js';
import { CREATE_PAIR } from './pairs/create-pair.js';
import { DISABLE_PAIR, ENABLE_PAIR } from './pairs/disable-pair.js';
import { LIST_PAIRS } from './pairs/list-pairs.js';
import { COUNTS } from './start/counts.js';
import { START } from './start/start.js';
import { CANCEL_DELIVERY, RETRY_DELIVERY } from './webhooks/change-delivery.js';
import { ENDPOINTS } from './webhooks/endpoints.js';
import { EVENT_REQUEST } from './webhooks/event-request.js';

/** The operations below `/apps/:app`, and the search, which looks up what each person may see. */
export const APP_OPERATIONS: readonly Operation[] = [
  APP_OVERVIEW,
  START,
  COUNTS,
  LINK_DETAIL,
  LINK_TIMELINE,
  LINK_ROUTE,
  MOVE_LINK,
  EVENT_REQUEST,
  ENDPOINTS,
  RETRY_DELIVERY,
  CANCEL_DELIVERY,
  BANK_DAY,
  FIND,
  LIST_PAIRS,
  CREATE_PAIR,
  ROTATE_SECRET,
  DISABLE_PAIR,
  ENABLE_PAIR,
  END_SECRET,
];
