import { Inject, Injectable } from '@nestjs/common';
import { ApiError, truncateIssues } from '../../../../domain/errors/api-errors.js';
import { checkStepInput } from '../../../../domain/session/check-step-input.js';
import type { PlainAnswer } from '../../../../domain/session/session-phase.js';
import type { StepInput } from '../../../../domain/session/connect-step.js';
import { InstitutionRepository } from '../../../../prisma/sources/institutions/institution.repository.js';
import { LinkSessionRepository } from '../../../../prisma/links/sessions/link-session.repository.js';
import type { SessionRecord } from '../../../../prisma/links/sessions/session-record.js';
import type { StepSubmission } from '../../../../workflows/session/session.contract.js';
import type { InputOf } from '../http/route.js';
import type { SubmitStepRequest } from './connect.requests.js';
import type { View } from './session/present-view.js';
import { assertLive } from './session/session-end.js';
import { SessionViews } from './session/session-views.js';
import { SESSION_WORKFLOWS } from './session/session-workflows.token.js';
import type { SessionWorkflows } from './session/session-workflows.js';
import { StepResponses } from './session/step-responses.js';
import { readStepInput } from './step-input.schema.js';

type Submission = InputOf<typeof SubmitStepRequest>['body'];

/** POST /session/step: the user submits a step. Source: connect 4 and 5. */
@Injectable()
export class SubmitStep {
  constructor(
    private readonly sessions: LinkSessionRepository,
    private readonly institutions: InstitutionRepository,
    private readonly views: SessionViews,
    private readonly responses: StepResponses,
    @Inject(SESSION_WORKFLOWS) private readonly workflows: SessionWorkflows,
  ) {}

  async submit(
    session: SessionRecord,
    { seq, request_id: requestId, input: given }: Submission,
  ): Promise<View> {
    assertLive(session);
    if (session.state === 'succeeded' || session.step === null || seq !== session.seq)
      return this.repeatOrRefuse(session, seq, requestId);
    const input = await this.checkInput(session, given);
    const submission: StepSubmission = {
      seq,
      requestId,
      input: await this.sealed(session, requestId, input),
    };
    return this.responses.view(
      session.sessionId,
      seq,
      await this.workflows.submit(session, submission),
    );
  }

  /**
   * connect 5, rule 3: repeating an action returns the same outcome, although it has advanced the
   * session.
   */
  private async repeatOrRefuse(
    session: SessionRecord,
    seq: number,
    requestId: string,
  ): Promise<View> {
    const earlier = await this.workflows.outcomeOf(session, requestId);
    if (earlier !== null) return this.responses.view(session.sessionId, seq, earlier);
    return this.responses.refuse(await this.views.reload(session.sessionId), 'StaleStep');
  }

  private async checkInput(session: SessionRecord, given: Submission['input']): Promise<StepInput> {
    const reading = readStepInput(given);
    if ('issues' in reading)
      throw new ApiError('connect_error.invalid_input', { issues: truncateIssues(reading.issues) });
    const { input } = reading;
    const issues = session.step === null ? [] : checkStepInput(session.step, input);
    if (issues.length > 0)
      throw new ApiError('connect_error.invalid_input', { issues: truncateIssues(issues) });
    if (input.kind !== 'select_institution') return input;
    const institution = await this.institutions.findAvailable(
      this.views.filterOf(session),
      input.institution_id,
    );
    if (institution === null) throw new ApiError('connect_error.institution_not_available');
    return { ...input, institution_id: institution.institutionId };
  }

  /**
   * Seals the user's input and passes only its name to the workflow: secrets never enter a
   * history.
   */
  private async sealed(
    session: SessionRecord,
    requestId: string,
    input: StepInput,
  ): Promise<StepSubmission['input']> {
    if (isPlain(input)) return input;
    await this.sessions.sealAnswer(
      session.sessionId,
      requestId,
      Buffer.from(JSON.stringify(input), 'utf8'),
    );
    return { kind: input.kind, sealedAs: requestId };
  }
}

function isPlain(input: StepInput): input is PlainAnswer {
  return !(
    input.kind === 'form' ||
    input.kind === 'image' ||
    (input.kind === 'otp' && 'code' in input)
  );
}
