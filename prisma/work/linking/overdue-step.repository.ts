import { makeErrorStep } from '../../../domain/session/connect-problem.js';
import { makeStep } from '../../../domain/session/connect-step.js';
import { apiTimestamp } from '../../../domain/api/timestamps.js';
import type { Context } from '../../base/context.js';
import { failLogin } from './fail-login.js';
import { lockSession } from '../../links/sessions/lock-session.js';

/**
 * Steps that waited too long for the user (connect 5, rule 7; connect 7, step 6). Usually their
 * workflow ends them; this is for steps whose workflow history was lost.
 */
export class OverdueStepRepository {
  constructor(private readonly ctx: Context) {}

  /**
   * Ends the logins of steps overdue since `before`, as the workflow would. Returns their number.
   */
  async sweep(before: Date, limit: number): Promise<number> {
    // Timestamps of the same format sort as texts.
    const overdue = await this.ctx.database.prisma.$queryRaw<{ session_id: string; seq: number }[]>`
      SELECT session_id, seq FROM link_sessions
       WHERE state = 'open' AND step->>'kind' IN ('form', 'choice', 'otp', 'image', 'redirect') AND step->>'expires_at' < ${apiTimestamp(before)}
       ORDER BY expires_at LIMIT ${limit}`;
    let ended = 0;
    for (const step of overdue) ended += (await this.end(step)) ? 1 : 0;
    return ended;
  }

  private async end({
    session_id: sessionId,
    seq,
  }: {
    session_id: string;
    seq: number;
  }): Promise<boolean> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const session = await lockSession(tx, sessionId);
      if (session === null || session.state !== 'open' || session.seq !== seq) return false;
      const mayChooseAnother = session.beganAs === 'link' && session.presetInstitutionId === null;
      const content = makeErrorStep('connect_error.timeout', {
        mayChooseAnother,
        institutionUrl: null,
      });
      await failLogin(ctx, tx, session, 'institution_timeout', {
        seq: seq + 1,
        step: makeStep(seq + 1, content),
      });
      return true;
    });
  }
}
