import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../../../domain/api-errors.js';
import { checkStepInput } from '../../../../domain/check-step-input.js';
import { makeStep, type StepContent, type StepInput } from '../../../../domain/connect-step.js';
import { InstitutionRepository } from '../../../../prisma/repositories/institution.repository.js';
import { LinkSessionRepository, type SessionRecord } from '../../../../prisma/repositories/link-session.repository.js';
import type { PlainStepInput, StepSubmission } from '../../../../workflows/link-session/link-session.contract.js';
import type { InputOf } from '../http/route.js';
import type { SubmitStepRequest } from './connect.requests.js';
import type { View } from './present-view.js';
import { assertLive, endOf } from './session-standing.js';
import { SessionViews } from './session-views.js';
import { SESSION_WORKFLOWS } from './session-workflows.token.js';
import type { MessageOutcome, SessionWorkflows } from './session-workflows.js';
import { readStepInput } from './step-input.schema.js';

type Submission = InputOf<typeof SubmitStepRequest>['body'];

/** The answer to a step whose work outlasts the call, as when this process stops (connect 5, rule 5). */
const WORKING: StepContent = { kind: 'wait', stage: 'connecting', can_cancel: false };

/** POST /session/step: the user answers a step. Source: connect 4 and 5. */
@Injectable()
export class SubmitStep {
  constructor(
    private readonly sessions: LinkSessionRepository,
    private readonly institutions: InstitutionRepository,
    private readonly views: SessionViews,
    @Inject(SESSION_WORKFLOWS) private readonly workflows: SessionWorkflows,
  ) {}

  async submit(session: SessionRecord, { seq, request_id: requestId, input: given }: Submission): Promise<View> {
    assertLive(session);
    if (session.state === 'succeeded' || session.step === null || seq !== session.seq) return this.repeatOrRefuse(session, seq, requestId);
    const input = await this.checkInput(session, given);
    const submission: StepSubmission = { seq, requestId, input: await this.sealed(session, requestId, input) };
    return this.answer(session.sessionId, seq, await this.workflows.submit(session, submission));
  }

  /** connect 5, rule 3: the same action again gives the same outcome, although the session has moved on by it. */
  private async repeatOrRefuse(session: SessionRecord, seq: number, requestId: string): Promise<View> {
    const earlier = await this.workflows.outcomeOf(session, requestId);
    if (earlier !== null) return this.answer(session.sessionId, seq, earlier);
    return this.refuse(await this.views.reload(session.sessionId), 'StaleStep');
  }

  private async checkInput(session: SessionRecord, given: Submission['input']): Promise<StepInput> {
    const reading = readStepInput(given);
    if ('issues' in reading) throw new ApiError('connect_error.invalid_input', { issues: reading.issues });
    const { input } = reading;
    const issues = session.step === null ? [] : checkStepInput(session.step, input);
    if (issues.length > 0) throw new ApiError('connect_error.invalid_input', { issues });
    if (input.kind !== 'select_institution') return input;
    const institution = await this.institutions.findAvailable(this.views.filterOf(session), input.institution_id);
    if (institution === null) throw new ApiError('connect_error.institution_not_available');
    return { ...input, institution_id: institution.institutionId };
  }

  /** What a user typed is sealed first, and only its name goes to the workflow: secrets never enter a history. */
  private async sealed(session: SessionRecord, requestId: string, input: StepInput): Promise<StepSubmission['input']> {
    if (isPlain(input)) return input;
    await this.sessions.sealAnswer(session.sessionId, requestId, Buffer.from(JSON.stringify(input), 'utf8'));
    return { kind: input.kind, sealedAs: requestId };
  }

  private async answer(sessionId: string, answered: number, outcome: MessageOutcome): Promise<View> {
    const session = await this.views.reload(sessionId);
    if (outcome.kind === 'rejected') return this.refuse(session, outcome.reason);
    assertLive(session);
    const view = await this.views.of(session);
    // Nothing newer is shown yet: the step that is must not look as if it asked again.
    return outcome.kind === 'waiting' && session.seq === answered ? { ...view, step: makeStep(session.seq, WORKING) } : view;
  }

  private async refuse(session: SessionRecord, reason: 'SessionClosed' | 'StepInProgress' | 'StaleStep'): Promise<never> {
    const end = endOf(session, new Date());
    if (end !== null) throw end;
    // connect 5, rule 8
    if (reason === 'SessionClosed' || session.state === 'succeeded') throw new ApiError('connect_error.session_closed');
    throw new ApiError(reason === 'StaleStep' ? 'connect_error.stale_step' : 'connect_error.step_in_progress', { view: await this.views.of(session) });
  }
}

function isPlain(input: StepInput): input is PlainStepInput {
  return !(input.kind === 'form' || input.kind === 'image' || (input.kind === 'otp' && 'code' in input));
}
