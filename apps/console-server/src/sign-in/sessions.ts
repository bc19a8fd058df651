import type { Request, Response } from 'express';
import {
  SESSION_TTL_MS,
  type ConsoleSessionRecord,
  type ConsoleSessionRepository,
} from '../../../../prisma/operations/console/console-session.repository.js';
import type { ConsoleGrant } from '../../../../prisma/operations/console/console-grant.js';
import type { OperatorActionRepository } from '../../../../prisma/base/operator-actions/operator-action.repository.js';
import { ConsoleFailure } from '../access/console-failure.js';
import type { SessionCookie } from './session-cookie.js';

/** The header with the half of the secret that the page keeps. */
const HEADER = 'console-session';

/** Sign-ins of the listener: the cookie and the header together name a session. */
export class Sessions {
  constructor(
    private readonly stored: ConsoleSessionRepository,
    private readonly actions: OperatorActionRepository,
    private readonly cookie: SessionCookie,
  ) {}

  /** @throws ConsoleFailure 401 */
  async of(request: Request): Promise<ConsoleSessionRecord> {
    const cookie = this.cookie.read(request);
    const header = request.get(HEADER);
    const session =
      cookie === null || header === undefined ? null : await this.stored.find({ cookie, header });
    if (session === null)
      throw new ConsoleFailure(401, 'console.signed_out', 'Sign in to use the console.');
    return session;
  }

  /** A new session in place of an earlier one of this browser. */
  async begin(
    request: Request,
    response: Response,
    { actor, grants }: { actor: string; grants: readonly ConsoleGrant[] },
  ): Promise<void> {
    const earlier = await this.of(request).catch(() => null);
    const made = await this.stored.create(actor, grants);
    await this.actions.record({
      actor,
      action: 'console sign-in',
      subject: describe(grants),
      outcome: 'succeeded',
    });
    if (earlier !== null) await this.stored.end({ sessionId: earlier.sessionId });
    this.cookie.set(response, made.cookie, SESSION_TTL_MS);
    response.status(201).json({ session: made.header });
  }

  async end(request: Request, response: Response): Promise<void> {
    const session = await this.of(request);
    await this.stored.end({ sessionId: session.sessionId });
    await this.actions.record({
      actor: session.actor,
      action: 'console sign-out',
      subject: describe(session.grants),
      outcome: 'succeeded',
    });
    this.cookie.clear(response);
    response.status(204).end();
  }
}

export const describe = (grants: readonly ConsoleGrant[]): string =>
  grants
    .map(({ role, appId, isReadOnly }) =>
      [role === 'operator' ? role : `app ${appId}`, ...(isReadOnly ? ['--read-only'] : [])].join(
        ' ',
      ),
    )
    .join(', ');
