import { randomUUID } from 'node:crypto';
import { eventually } from '../assertions/eventually.js';
import {
  ConnectVisit,
  expectStatus,
  INSTANT_BANK,
  type CallResponse,
  type AppBackEnd,
} from './link-journey.js';
import type { View } from './response-bodies.js';

const PATIENCE_MS = 120_000;

/**
 * Repeats a call until the service responds, as a good client does: same body, same request_id.
 * Only temporary failures are repeated: no connection, 429, 500 and 503.
 */
export function retryUntilResponse<T>(
  attempt: () => Promise<CallResponse<T>>,
): Promise<CallResponse<T>> {
  return eventually(
    async () => {
      const response = await attempt();
      if (response.status === 429 || response.status >= 500)
        throw new Error(`still ${response.status}: ${JSON.stringify(response.body)}`);
      return response;
    },
    { within: PATIENCE_MS, every: 250 },
  );
}

/** A user who completes a session despite any failure: returns, retries and waits. */
export class PatientUser {
  private constructor(private readonly visit: ConnectVisit) {}

  /** Opens the session (again), like a reload of the page. */
  static async arrive(app: AppBackEnd, linkSessionToken: string): Promise<PatientUser> {
    return new PatientUser(
      await eventually(() => ConnectVisit.open(app.baseUrl, linkSessionToken), {
        within: PATIENCE_MS,
        every: 250,
      }),
    );
  }

  get sessionId(): string {
    return this.visit.view.session_id;
  }

  /** Follows the session to its success, whatever the steps. */
  async untilSuccess(): Promise<View> {
    const deadline = Date.now() + PATIENCE_MS;
    while (this.visit.view.step.kind !== 'success') {
      if (Date.now() > deadline) throw new Error(`no success: ${JSON.stringify(this.visit.view)}`);
      await this.continueFrom(this.visit.view);
    }
    return this.visit.view;
  }

  async finish(): Promise<string> {
    const requestId = randomUUID();
    const { status, body } = await retryUntilResponse(() => this.visit.finishCall(requestId));
    if (status !== 200) throw new Error(`finish returned ${status}: ${JSON.stringify(body)}`);
    return body.exchangeable_token;
  }

  private async continueFrom({ seq, step }: View): Promise<void> {
    const answers: Record<string, unknown> = {
      select_institution: { kind: 'select_institution', institution_id: INSTANT_BANK },
      error: { kind: 'error', action: 'retry' },
    };
    const requestId = randomUUID();
    const answer = answers[step.kind];
    const { status, body } =
      answer === undefined
        ? await retryUntilResponse(() => this.visit.call('GET', `/session?after_seq=${seq}&wait=2`))
        : await retryUntilResponse(() => this.visit.submit(answer, { seq, requestId }));
    if (status === 200) this.visit.view = body;
    // The answer sent before the crash was processed nevertheless. The step that the session shows
    // now counts, perhaps success.
    else if (status === 409 || status === 410)
      this.visit.view = await expectStatus(
        200,
        retryUntilResponse(() => this.visit.call<View>('GET', `/session?after_seq=${seq}&wait=2`)),
      );
    else throw new Error(`step returned ${status}: ${JSON.stringify(body)}`);
  }
}
