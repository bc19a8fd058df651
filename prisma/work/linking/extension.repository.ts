import { makeExtensionOffer } from '../../../domain/session/extension-offer.js';
import type { LinkError, LinkState } from '../../../domain/link/link-state.js';
import { judgeTransition } from '../../../domain/link/link-transitions.js';
import type { Context } from '../../base/context.js';
import { Prisma, type Link } from '../../generated/client.js';
import { featuresOf, findDuplicate, refuseDuplicate } from './duplicate-link.js';
import { abandonLogin } from './abandon-login.js';
import { asJson } from '../../base/database/json-column.js';
import { lockLink, standingOf } from '../../links/link/link-transition.js';
import { lockOpenSession } from '../../links/sessions/lock-open-session.js';
import { notAccepted } from '../../links/sessions/show-step.js';
import type { PreparedStep } from './prepared-step.js';
import { releaseLogin } from '../../sources/permissions/release-permission.js';
import { takeOverLink } from '../../links/sessions/take-over-link.js';

/** The link that a session extends, with the facts that its workflow may hold. */
export interface ExtendedLink {
  linkId: string;
  state: LinkState;
  error: LinkError | null;
}

/** duplicate_institution_warning: the user chooses between the existing link and a new one. Source: link-lifecycle 2.5. */
export class ExtensionRepository {
  constructor(private readonly ctx: Context) {}

  /**
   * Prepares the question if it must be asked, and abandons a link that this session started at another institution.
   * False = the login can start: the app did not request the warning, or there is no other link.
   * @throws DuplicateInstitution
   */
  async offer(sessionId: string, institutionId: string): Promise<boolean> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const session = await lockOpenSession(tx, sessionId);
      const features = featuresOf(session);
      if (features.duplicate_institution_warning !== true) return false;
      const found = await findDuplicate(tx, session, institutionId);
      if (found === null) return false;
      const mayExtend = isExtendable(found);
      if (!mayExtend) await refuseDuplicate(tx, session, institutionId);
      const offered: PreparedStep = {
        content: makeExtensionOffer({
          mayExtend,
          mayLinkSeparately: features.duplicate_institution_rejected !== true,
        }),
        message: null,
        error: null,
        attemptsLeft: null,
        expiresAt: null,
      };
      const current = session.linkPk === null ? null : await lockLink(tx, session.linkPk);
      const isElsewhere = current !== null && current.institutionId !== institutionId;
      if (isElsewhere) await abandonLogin(ctx, tx, session);
      await releaseLogin(ctx, tx, sessionId);
      await tx.linkSession.update({
        where: { sessionId },
        data: {
          institutionId,
          ...(isElsewhere ? { linkPk: null } : {}),
          attemptKey: null,
          ...notAccepted(session),
          grantedProducts: Prisma.DbNull,
          preparedStep: asJson(offered),
        },
      });
      return true;
    });
  }

  /**
   * Turns the session into a relink of the existing link, like one created with `existing_link_id`: the link does not change
   * before the session succeeds, and another choice of the user undoes it. Null = the link no longer exists. Idempotent.
   * Source: link-lifecycle 8.
   */
  async extend(sessionId: string): Promise<ExtendedLink | null> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const session = await lockOpenSession(tx, sessionId);
      if (session.mode === 'relink') {
        const turned =
          session.linkPk === null
            ? null
            : await tx.link.findUnique({ where: { pk: session.linkPk } });
        return turned === null ? null : extended(turned);
      }
      if (session.institutionId === null) return null;
      const found = await findDuplicate(tx, session, session.institutionId);
      if (found === null || !isExtendable(found)) return null;
      // A new link that this session started before.
      await abandonLogin(ctx, tx, session);
      await takeOverLink(ctx, tx, found.linkId);
      await tx.linkSession.update({
        where: { sessionId },
        data: {
          mode: 'relink',
          existingLinkId: found.linkId,
          linkPk: found.pk,
          preparedStep: Prisma.DbNull,
        },
      });
      return extended(found);
    });
  }
}

/** link-lifecycle 6.5: only a link that was exchanged. */
function isExtendable(link: Link): boolean {
  return judgeTransition(standingOf(link), { type: 'relink_done' }).kind !== 'refused';
}

function extended({ linkId, state, errorCode }: Link): ExtendedLink {
  return { linkId, state: state as LinkState, error: errorCode as LinkError | null };
}
