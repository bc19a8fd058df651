import { Injectable } from '@nestjs/common';
import { ApiError, badState } from '../../../../domain/errors/api-errors.js';
import { SandboxLinkRepository } from '../../../../prisma/work/sandbox/sandbox-link.repository.js';
import { AppUseRepository } from '../../../../prisma/tenants/usage/app-use.repository.js';
import type { Caller } from '../http/request-state.js';
import { LinkAccess } from '../links/link-access.js';
import { SendSandboxCommand } from './send-sandbox-command.js';
import type { RunScriptBody } from './script.requests.js';
import { WaitForFetches } from './wait-for-fetches.js';

/** link-lifecycle 14: waits at most 30 s for the fetch that follows. */
const REFRESH_WITHIN_MS = 30_000;

/** Creates and changes transactions at the sandbox bank of a link. Source: link-lifecycle 14. */
@Injectable()
export class RunSandboxScript {
  constructor(
    private readonly access: LinkAccess,
    private readonly commands: SendSandboxCommand,
    private readonly links: SandboxLinkRepository,
    private readonly untilFetched: WaitForFetches,
    private readonly use: AppUseRepository,
  ) {}

  /** @throws ApiError, BoundReached */
  async run(caller: Caller, id: string, { script, refresh }: RunScriptBody) {
    const link = await this.access.findLiving(caller, id);
    const { linkId } = link;
    if (!link.products.some(({ product }) => product === 'transactions')) {
      throw new ApiError('link_error.forbidden_action', {
        message: 'The product transactions is not granted on this link.',
      });
    }
    if (!link.everConnected) throw badState({ state: link.state, error: link.errorCode });
    // The bank keeps the rows, whether they are fetched or not.
    const bytes = Buffer.byteLength(JSON.stringify(script));
    await this.use.take(caller, { imported_bytes: bytes });
    const answer = await this.commands.send(caller, { kind: 'run_script', linkId, script });
    if (answer.kind === 'script_failed')
      throw new ApiError('sandbox_error.script_failed', {
        message: `Step ${answer.index} of the script is impossible: ${answer.reason}`,
      });
    if (answer.kind !== 'script') throw badState({ state: link.state, error: link.errorCode });

    const refreshed = refresh && (await this.refresh(linkId));
    const ids = await this.links.transactionIds(
      linkId,
      answer.rows.map(({ providerTransactionId }) => providerTransactionId),
    );
    const rows = answer.rows.map(({ ref, providerTransactionId, status }) => ({
      ref,
      transaction_id: ids.get(providerTransactionId) ?? null,
      status,
    }));
    return { link_id: linkId, applied: script.length, refreshed, rows };
  }

  /** Runs one fetch outside the limits. Returns whether it stored the bank's current data. */
  private async refresh(linkId: string): Promise<boolean> {
    // A running fetch may already have read past the new rows; one that starts afterwards cannot.
    await this.untilFetched.wait(linkId, REFRESH_WITHIN_MS, ['transactions']);
    if (!(await this.links.requestScriptedRefresh(linkId))) return false;
    return (
      (await this.untilFetched.wait(linkId, REFRESH_WITHIN_MS, ['transactions'])) &&
      (await this.links.hasFreshTransactions(linkId))
    );
  }
}
