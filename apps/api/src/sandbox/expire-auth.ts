import { Injectable } from '@nestjs/common';
import { badState } from '../../../../domain/errors/api-errors.js';
import type { LinkView } from '../../../../prisma/links/link/link-view.js';
import type { Caller } from '../http/request-state.js';
import { ChangeLink } from '../links/change-link.js';
import { LinkAccess } from '../links/link-access.js';
import { SendSandboxCommand } from './send-sandbox-command.js';

/** Ends the permission of a link at its bank. Source: link-lifecycle 14. */
@Injectable()
export class ExpireAuth {
  constructor(
    private readonly access: LinkAccess,
    private readonly changes: ChangeLink,
    private readonly commands: SendSandboxCommand,
  ) {}

  /**
   * `now`: ends it like a reset. `next_fetch`: the bank rejects the next fetch, which updates the
   * link. @throws ApiError
   */
  async expire(caller: Caller, linkId: string, mode: 'next_fetch' | 'now'): Promise<LinkView> {
    if (mode === 'now') return this.changes.reset(caller, linkId);
    const link = await this.access.findLiving(caller, linkId);
    if (!link.everConnected) throw badState({ state: link.state, error: link.errorCode });
    const answer = await this.commands.send(caller, {
      kind: 'expire_permission',
      linkId: link.linkId,
    });
    if (answer.kind !== 'done') throw badState({ state: link.state, error: link.errorCode });
    return this.access.find(caller, linkId);
  }
}
