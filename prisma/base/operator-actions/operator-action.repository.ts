import type { Context } from '../context.js';

/** One action that was performed or refused. It contains no secret. */
export interface OperatorAction {
  /** The actor: the name in `--by`, else `user@host`; a client id for sign-ins; `service`. */
  actor: string;
  /** The command, for example `clients disable`; `sign_in` or `rotate_signing_key`. */
  action: string;
  /** The target of the action, in the words of the command. */
  subject: string;
  /** A command writes `started` before it changes anything, and one of the others at its end. */
  outcome: 'started' | 'succeeded' | 'failed' | 'refused';
}

const MAX_LENGTH = 500;

/**
 * The record of operators' actions. Rows are only inserted; the owner may neither change nor delete
 * them.
 */
export class OperatorActionRepository {
  constructor(private readonly ctx: Context) {}

  async record({ actor, action, subject, outcome }: OperatorAction): Promise<void> {
    await this.ctx.database.prisma.operatorAction.createMany({
      data: [
        {
          actor: actor.slice(0, MAX_LENGTH),
          action,
          subject: subject.slice(0, MAX_LENGTH),
          outcome,
          createdAt: this.ctx.clock(),
        },
      ],
    });
  }
}
