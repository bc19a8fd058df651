import { Injectable } from '@nestjs/common';
import { ApiError, badState } from '../../../../domain/errors/api-errors.js';
import type { Product } from '../../../../domain/link/products.js';
import type { SandboxCommand } from '../../../../domain/sandbox/sandbox-request.js';
import { SandboxLinkRepository } from '../../../../prisma/work/sandbox/sandbox-link.repository.js';
import { AppUseRepository } from '../../../../prisma/tenants/usage/app-use.repository.js';
import type { Caller } from '../http/request-state.js';
import { LinkAccess } from '../links/link-access.js';
import { SendSandboxCommand } from './send-sandbox-command.js';
import type { RunHoldingsScriptBody } from './holdings-script.requests.js';
import type { RunLiabilitiesScriptBody } from './liabilities-script.requests.js';
import type { RunScriptBody } from './script.requests.js';
import { WaitForFetches } from './wait-for-fetches.js';

/** link-lifecycle 14: waits at most 30 s for the fetch that follows. */
const REFRESH_WITHIN_MS = 30_000;

type WithoutLink<Command> = Command extends unknown ? Omit<Command, 'linkId'> : never;
type Script = WithoutLink<Extract<SandboxCommand, { script: readonly unknown[] }>>;

/** Runs scripts that change data at the sandbox bank of a link. Source: link-lifecycle 14. */
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
  async run(caller: Caller, id: string, body: RunScriptBody) {
    const { linkId, answer, ...end } = await this.carryOut(caller, id, 'transactions', {
      kind: 'run_script',
      ...body,
    });
    const scripted = answer.kind === 'script' ? answer.rows : [];
    const ids = await this.links.transactionIds(
      linkId,
      scripted.map(({ providerTransactionId }) => providerTransactionId),
    );
    const rows = scripted.map(({ ref, providerTransactionId, status }) => ({
      ref,
      transaction_id: ids.get(providerTransactionId) ?? null,
      status,
    }));
    return { link_id: linkId, ...end, rows };
  }

  /** @throws ApiError, BoundReached */
  async runOnHoldings(caller: Caller, id: string, body: RunHoldingsScriptBody) {
    const { linkId, applied, refreshed } = await this.carryOut(caller, id, 'investments', {
      kind: 'run_holdings_script',
      ...body,
    });
    return { link_id: linkId, applied, refreshed };
  }

  /** @throws ApiError, BoundReached */
  async runOnLiabilities(caller: Caller, id: string, body: RunLiabilitiesScriptBody) {
    const { linkId, applied, refreshed } = await this.carryOut(caller, id, 'liabilities', {
      kind: 'run_liabilities_script',
      ...body,
    });
    return { link_id: linkId, applied, refreshed };
  }

  /** Carries a script out at the bank, and fetches the product that it changed. */
  private async carryOut(
    caller: Caller,
    id: string,
    product: Product,
    { refresh, ...command }: Script & { refresh: boolean },
  ) {
    const link = await this.access.findLiving(caller, id);
    const { linkId } = link;
    if (!link.products.some((granted) => granted.product === product)) {
      throw new ApiError('link_error.forbidden_action', {
        message: `The product ${product} is not granted on this link.`,
      });
    }
    if (!link.everConnected) throw badState({ state: link.state, error: link.errorCode });
    // The bank keeps the script, whether its changes are fetched or not.
    const bytes = Buffer.byteLength(JSON.stringify(command.script));
    await this.use.take(caller, { imported_bytes: bytes });
    const answer = await this.commands.send(caller, { ...command, linkId });
    if (answer.kind === 'script_failed')
      throw new ApiError('sandbox_error.script_failed', {
        message: `Step ${answer.index} of the script is impossible: ${answer.reason}`,
      });
    if (answer.kind !== 'script' && answer.kind !== 'done')
      throw badState({ state: link.state, error: link.errorCode });
    const refreshed = refresh && (await this.refresh(linkId, product));
    return { linkId, answer, applied: command.script.length, refreshed };
  }

  /** Runs one fetch outside the limits. Returns whether it stored the bank's current data. */
  private async refresh(linkId: string, product: Product): Promise<boolean> {
    // A running fetch may already have read past the changes; one that starts afterwards cannot.
    await this.untilFetched.wait(linkId, REFRESH_WITHIN_MS, [product]);
    if (!(await this.links.requestScriptedRefresh(linkId, product))) return false;
    return (
      (await this.untilFetched.wait(linkId, REFRESH_WITHIN_MS, [product])) &&
      (await this.links.hasFresh(linkId, product))
    );
  }
}
