import type { LinkSessionFacts } from '../../../domain/session/present-link-session.js';
import type { SessionExit } from '../../../domain/session/session-exit.js';
import { isHosted, type SessionOptions } from '../../../domain/session/session-options.js';
import type { SessionState } from '../../../domain/session/session-outcome.js';
import type { Prisma } from '../../generated/client.js';

/** The columns of a session that its app may see. */
export const FACTS = {
  sessionId: true,
  mode: true,
  state: true,
  endReason: true,
  existingLinkId: true,
  institutionId: true,
  tags: true,
  options: true,
  exit: true,
  createdAt: true,
  openedAt: true,
  expiresAt: true,
  succeededAt: true,
  endedAt: true,
  customerUser: { select: { userId: true } },
  link: { select: { linkId: true } },
} satisfies Prisma.LinkSessionSelect;
type FactsRow = Prisma.LinkSessionGetPayload<{ select: typeof FACTS }>;

export function factsOf({ customerUser, link, options, ...row }: FactsRow): LinkSessionFacts {
  // Only LinkSessionRepository.create stores options.
  const stored = options as SessionOptions | null;
  return {
    sessionId: row.sessionId,
    mode: row.mode as LinkSessionFacts['mode'],
    state: row.state as SessionState,
    endReason: row.endReason,
    existingLinkId: row.existingLinkId,
    institutionId: row.institutionId,
    tags: row.tags,
    hosted: isHosted({ options })
      ? { returnUrl: stored?.hosted?.completionRedirectUri ?? null }
      : null,
    // Only noteExit and endSession write this column.
    exit: row.exit as SessionExit | null,
    createdAt: row.createdAt,
    openedAt: row.openedAt,
    expiresAt: row.expiresAt,
    succeededAt: row.succeededAt,
    endedAt: row.endedAt,
    customerUserId: customerUser.userId,
    linkId: link?.linkId ?? null,
  };
}
