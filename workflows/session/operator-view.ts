import type { SearchAttributeUpdatePair } from '@temporalio/common';
import type { Deadline } from '../../activities/linking/session-state.js';
import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import { FAILURE_MEANINGS } from '../../domain/errors/failure-mapping.js';
import { describeRoute } from '../../domain/institutions/route-summary.js';
import type {
  SessionFacts,
  SessionPhase,
  StartedLogin,
} from '../../domain/session/session-phase.js';
import type { StepKind } from '../../domain/session/connect-step.js';
import type { CurrentDetails } from '../details/current-details.js';
import { linkAttributes, SEARCH_ATTRIBUTES } from '../search-attributes.js';

/** Waits for the user, by the step that is shown. */
const STEPS: Readonly<Record<StepKind, string>> = {
  select_institution: 'the user to choose a bank',
  form: 'the user to fill in the form of the bank',
  choice: 'the user to choose one of the options shown',
  otp: 'the user to enter the code of the bank',
  image: 'the user to answer the question about an image',
  redirect: "the user to sign in on the bank's own pages",
  wait: 'the bank, while the user waits or acts there',
  select_accounts: 'the user to choose accounts',
  consent: 'the user to consent to the products',
  success: 'the app to exchange its token',
  error: 'the user to try again or choose another bank',
};

/** Shows operators the phase of a session in the details of its workflow. */
export function showPhase(
  details: CurrentDetails,
  phase: SessionPhase,
  { presetInstitutionId }: SessionFacts,
  { dueAt }: { dueAt: number | null },
): void {
  const attempt = 'attempt' in phase ? phase.attempt : null;
  const login = attempt?.login ?? null;
  details.at({
    phase: phase.name,
    institution: attempt?.bank ?? presetInstitutionId,
    provider: login?.provider ?? null,
    note: login?.route === undefined ? null : describeRoute(login, login.route),
  });
  const text = waitOf(phase);
  if (text === null) return details.done();
  details.waitFor(text, { until: dueAt });
  details.failed(phase.name === 'showingProblem' ? phase.cause : null);
}

/** Null = the session waits only for Tributary's own database. */
function waitOf(phase: SessionPhase): string | null {
  switch (phase.name) {
    case 'unopened':
      return 'the user to open Connect';
    case 'choosingBank':
      return STEPS.select_institution;
    case 'offeringExtension':
      return STEPS.choice;
    case 'offeringRedirect':
    case 'awayAtBank':
      return STEPS.redirect;
    case 'answering':
      return STEPS[phase.step.kind];
    case 'callingBank':
    case 'waitingAtBank':
      return 'the bank to respond to the login';
    case 'asking':
      return STEPS[phase.question];
    case 'showingProblem':
      return STEPS.error;
    case 'succeeded':
      return STEPS.success;
    case 'startingLogin':
    case 'finishing':
    case 'over':
      return null;
  }
}

/** The link of a relink keeps its state until the relink succeeds. */
export function attributesOfLogin(
  { linkId, institutionId, provider }: StartedLogin,
  { isRelink }: { isRelink: boolean },
): SearchAttributeUpdatePair[] {
  return [
    { key: SEARCH_ATTRIBUTES.linkId, value: linkId },
    { key: SEARCH_ATTRIBUTES.institutionId, value: institutionId },
    { key: SEARCH_ATTRIBUTES.provider, value: provider },
    ...(isRelink ? [] : linkAttributes({ state: 'connecting', error: null })),
  ];
}

export function attributesOfExtension(
  link: { linkId: string } & Parameters<typeof linkAttributes>[0],
): SearchAttributeUpdatePair[] {
  return [{ key: SEARCH_ATTRIBUTES.linkId, value: link.linkId }, ...linkAttributes(link)];
}

export function attributesOfFailure(cause: ProviderCause): SearchAttributeUpdatePair[] {
  return linkAttributes({ state: 'error', error: FAILURE_MEANINGS[cause].linkError });
}

/**
 * As read from the row: the change that the app has to confirm has not been applied yet (connect
 * 7).
 */
export function attributesOfSuccess(
  link: Deadline['link'] | undefined,
  { isRelink }: { isRelink: boolean },
): SearchAttributeUpdatePair[] {
  const usual = isRelink ? 'connected' : 'awaiting_token_exchange';
  return linkAttributes(link ?? { state: usual, error: null });
}
