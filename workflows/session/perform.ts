import { isCancellation, TemporalFailure } from '@temporalio/workflow';
import type { LinkingActivities } from '../../activities/linking/linking-activities.js';
import type { SessionEffect } from '../../domain/session/session-effect.js';
import type { SessionEvent } from '../../domain/session/session-phase.js';
import { linkAttributes } from '../search-attributes.js';
import { callBank } from './bank-call.js';
import type { Deadlines } from './deadlines.js';
import type { Inbox } from './inbox.js';
import {
  attributesOfExtension,
  attributesOfFailure,
  attributesOfLogin,
  attributesOfSuccess,
} from './operator-view.js';
import type { PublishedLink } from './published-link.js';
import type { ShownSteps } from './shown-steps.js';

export interface PerformDeps {
  sessionId: string;
  linking: LinkingActivities;
  steps: ShownSteps;
  inbox: Inbox;
  deadlines: Deadlines;
  published: PublishedLink;
  /** Called when the session waits for the user. */
  onWait: () => void;
}

type EffectName = SessionEffect['name'];
type EffectNamed<N extends EffectName> = Extract<SessionEffect, { name: N }>;
type Performers = { [N in EffectName]: (effect: EffectNamed<N>) => Promise<SessionEvent> };

const SHOWN = { name: 'shown' } as const;
const INTERRUPTED = { code: 'interrupted', text: 'This was interrupted. Please try again.' };

/** Performs the effect of a decision and returns the event that results from it. */
export function createPerform(deps: PerformDeps): (effect: SessionEffect) => Promise<SessionEvent> {
  const performers = createPerformers(deps);
  const { inbox, deadlines } = deps;
  return async (effect) => {
    // The row's name matches the effect's type.
    const perform = performers[effect.name] as (effect: SessionEffect) => Promise<SessionEvent>;
    try {
      return await perform(effect);
    } catch (error) {
      // The database may refuse a change if the link or the session changed in the meantime, for
      // example by a deletion. A problem has no alternative that could be shown.
      if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
      if (effect.name === 'showProblem') throw error;
      await deadlines.check();
      const end = inbox.ending();
      return end === null ? { name: 'changeRefused' } : inbox.take(end);
    }
  };
}

function createPerformers(deps: PerformDeps): Performers {
  const { sessionId, linking, steps, inbox, deadlines, published, onWait } = deps;
  return {
    wait: () => inbox.next(onWait),
    callBank: (effect) => callBank(effect, deps),

    async showBankChoice({ interrupted, forgetsExtension }) {
      if (forgetsExtension) published.clear();
      await steps.showWith((showing) =>
        linking.showStep({
          ...showing,
          content: { kind: 'select_institution' },
          error: interrupted ? INTERRUPTED : null,
        }),
      );
      return SHOWN;
    },
    async showExtensionOffer({ canGoBack, interrupted }) {
      await steps.showWith((showing) =>
        linking.showPreparedStep({ ...showing, canGoBack, interrupted }),
      );
      return SHOWN;
    },
    async showBankStep({ step, canGoBack, interrupted, expiresInMs }) {
      await steps.showWith(
        (showing) => linking.showPreparedStep({ ...showing, canGoBack, interrupted }),
        { canCancel: step.kind === 'wait', expiresInMs },
      );
      return SHOWN;
    },
    async showAway({ redirectId, canGoBack, expiresInMs }) {
      await steps.showWith(
        (showing) => linking.showStartedRedirect({ ...showing, canGoBack, redirectId }),
        { expiresInMs },
      );
      return SHOWN;
    },
    async showQuestion({ question, canGoBack, answers }) {
      await steps.showWith((showing) =>
        linking.showQuestion({ ...showing, ...answers, question, canGoBack }),
      );
      return SHOWN;
    },
    async showProblem({ problem }) {
      await steps.showWith((showing) => linking.showProblem({ ...showing, problem }));
      return SHOWN;
    },
    async failLogin({ cause, isRelink }) {
      await steps.showWith((showing) => linking.failLogin({ ...showing, cause }));
      if (!isRelink) published.publish(attributesOfFailure(cause));
      return SHOWN;
    },
    async leaveAttempt({ isForOneBank, isRelink, forgetsExtension }) {
      if (forgetsExtension) published.clear();
      const content = isForOneBank
        ? ({ kind: 'wait', stage: 'connecting', can_cancel: false } as const)
        : ({ kind: 'select_institution' } as const);
      await steps.showWith(({ seq }) => linking.exitAttempt({ sessionId, seq, content }));
      const { link } = deadlines;
      if (!isRelink && link) published.publish(linkAttributes(link));
      return SHOWN;
    },

    async beginLogin({ bank, separateLink, isRetry, isRelink }) {
      const login = await linking.beginLogin({
        sessionId,
        institutionId: bank,
        seq: steps.current,
        ...(separateLink ? { separateLink } : {}),
        ...(isRetry ? { isRetry } : {}),
      });
      if ('extensionAt' in login) return { name: 'extensionFound' };
      if ('redirectTo' in login) return { name: 'redirectFound' };
      if ('problem' in login) return { name: 'loginRefused', problem: login.problem };
      published.publish(attributesOfLogin(login, { isRelink }), { isNamed: true });
      return { name: 'loginStarted', login };
    },
    async extendLink() {
      const link = await linking.extendLink(sessionId);
      if (link === null) return { name: 'nothingToExtend' };
      published.publish(attributesOfExtension(link), { isNamed: true });
      return { name: 'linkExtended' };
    },
    async beginRedirect({ bank, isRelink }) {
      const login = await linking.beginRedirectLogin({
        sessionId,
        institutionId: bank,
        seq: steps.current,
      });
      if ('problem' in login) return { name: 'loginRefused', problem: login.problem };
      published.publish(attributesOfLogin(login, { isRelink }), { isNamed: true });
      return { name: 'loginStarted', login };
    },
    async takeNextRoute({ login, cause, isRelink }) {
      const next = await linking.takeNextRoute({
        sessionId,
        institutionId: login.institutionId,
        seq: steps.current,
        failed: login.provider,
        failedAttempt: login.attemptKey,
        cause,
      });
      if (next === null) return { name: 'noOtherRoute' };
      if ('redirectTo' in next) return { name: 'redirectFound' };
      published.publish(attributesOfLogin(next, { isRelink }), { isNamed: true });
      return { name: 'loginStarted', login: next };
    },

    async finish({ answers, isRelink }) {
      await steps.showWith((showing) => linking.finishLinking({ ...showing, ...answers }));
      if (deadlines.state !== 'succeeded') return { name: 'finishRefused' };
      published.publish(attributesOfSuccess(deadlines.link, { isRelink }));
      return { name: 'finished' };
    },
    async endSession() {
      await linking.cancelSession(sessionId);
      deadlines.end();
      return { name: 'endedElsewhere' };
    },
  };
}
