import { ApplicationFailure } from '@temporalio/activity';
import { makeId, type RandomBytes } from '../../domain/api/ids.js';
import { presentFault, type PresentedFault } from '../../domain/sandbox/sandbox-fault.js';
import type { SandboxResult, SandboxCommand } from '../../domain/sandbox/sandbox-request.js';
import type { ScriptStep } from '../../domain/sandbox/sandbox-script.js';
import type { InstitutionRepository } from '../../prisma/sources/institutions/institution.repository.js';
import type { CredentialRepository } from '../../prisma/sources/permissions/credential.repository.js';
import type { SandboxLinkRepository } from '../../prisma/work/sandbox/sandbox-link.repository.js';
import type { SandboxRequestRepository } from '../../prisma/work/sandbox/sandbox-request.repository.js';
import type { WorldRepository } from '../../prisma/worlds/world.repository.js';
import type {
  ChangeOutcome,
  FaultPlace,
  ProviderAccess,
  SandboxControls,
} from '../../providers/contract/provider.js';
import type { ProviderRegistry } from '../../providers/registry.js';
import { withHeartbeats } from '../heartbeats.js';
import { unmanagedAccess } from '../unmanaged-access.js';
import { withProviderIds, type ScriptFailed } from './provider-ids.js';

export interface SandboxActivityDeps {
  requests: Pick<SandboxRequestRepository, 'input' | 'answer'>;
  worlds: Pick<WorldRepository, 'facts' | 'nameOf'>;
  credentials: Pick<CredentialRepository, 'credential'>;
  sandboxLinks: Pick<SandboxLinkRepository, 'worldTime' | 'accountIds' | 'holdingIds'>;
  institutions: Pick<InstitutionRepository, 'routesOf'>;
  providers: Pick<ProviderRegistry, 'get' | 'all'>;
  random: RandomBytes;
}

/**
 * Runs the commands of /sandbox/… that only sandbox providers support. Commands and results are
 * stored in sealed rows.
 */
export function createSandboxActivities({
  requests,
  worlds,
  credentials,
  sandboxLinks,
  institutions,
  providers,
  random,
}: SandboxActivityDeps) {
  return {
    async performSandboxRequest(requestId: string): Promise<void> {
      const request = await requests.input(requestId);
      // The caller no longer exists. A request without a result is repeated by its caller or not at
      // all.
      if (request === null) return;
      // Only /sandbox/… writes these rows.
      const command = request.input as SandboxCommand;
      await requests.answer(
        requestId,
        await withHeartbeats((signal) => perform(request.appId, command, signal)),
      );
    },

    /** Makes every sandbox provider delete an erased world. */
    async forgetWorld(sourceRef: string): Promise<void> {
      await withHeartbeats(async (signal) => {
        for (const { sandbox } of providers.all()) await sandbox?.forgetWorld(sourceRef, signal);
      });
    },
  };

  async function perform(
    appId: string,
    command: SandboxCommand,
    signal: AbortSignal,
  ): Promise<SandboxResult> {
    switch (command.kind) {
      case 'create_fault': {
        const at = await sandboxOf(command.institutionId);
        if (at === null) return { kind: 'not_possible' };
        const place: FaultPlace = {
          remoteId: at.remoteId,
          signal,
          ...(await worlds.facts(appId, command.worldId)),
        };
        const fault = await at.sandbox.createFault(place, {
          faultId: makeId('fault', random),
          ...command.fault,
        });
        return { kind: 'fault', fault: presentFault(fault, command) };
      }
      case 'list_faults':
        return { kind: 'faults', faults: await faultsOf(appId, command, signal) };
      case 'lift_fault':
        return liftFault(appId, command.faultId, signal);
      case 'run_script':
        return runScript(command.linkId, command.script, signal);
      case 'run_holdings_script': {
        const { linkId, script } = command;
        const ids = {
          account_id: await sandboxLinks.accountIds(linkId),
          holding_id: await sandboxLinks.holdingIds(linkId),
        };
        return change(linkId, withProviderIds(script, ids), signal, (sandbox, ...steps) =>
          sandbox.runHoldingsScript(...steps),
        );
      }
      case 'run_liabilities_script': {
        const { linkId, script } = command;
        const ids = { account_id: await sandboxLinks.accountIds(linkId) };
        return change(linkId, withProviderIds(script, ids), signal, (sandbox, ...steps) =>
          sandbox.runLiabilitiesScript(...steps),
        );
      }
      case 'expire_permission': {
        const permission = await permissionOf(command.linkId, signal);
        if (permission === null) return { kind: 'not_found' };
        await permission.sandbox.expirePermission(permission.access);
        return { kind: 'done' };
      }
    }
  }

  async function faultsOf(
    appId: string,
    { institutionId, worldIds }: Extract<SandboxCommand, { kind: 'list_faults' }>,
    signal: AbortSignal,
  ): Promise<PresentedFault[]> {
    const at = await sandboxOf(institutionId);
    const found: PresentedFault[] = [];
    for (const worldId of at === null ? [] : worldIds) {
      const faults = await at?.sandbox.listFaults({
        remoteId: at.remoteId,
        signal,
        ...(await worlds.facts(appId, worldId)),
      });
      found.push(...(faults ?? []).map((fault) => presentFault(fault, { institutionId, worldId })));
    }
    return found;
  }

  /** Another app's fault is not found, even by its id. */
  async function liftFault(
    appId: string,
    faultId: string,
    signal: AbortSignal,
  ): Promise<SandboxResult> {
    for (const { sandbox } of providers.all()) {
      const sourceRef = (await sandbox?.worldOfFault(faultId, signal)) ?? null;
      if (
        sandbox === undefined ||
        sourceRef === null ||
        (await worlds.nameOf(appId, sourceRef)) === null
      )
        continue;
      await sandbox.liftFault(faultId, signal);
      return { kind: 'done' };
    }
    return { kind: 'not_found' };
  }

  async function runScript(
    linkId: string,
    script: readonly ScriptStep[],
    signal: AbortSignal,
  ): Promise<SandboxResult> {
    const permission = await permissionOf(linkId, signal);
    if (permission === null) return { kind: 'not_found' };
    const remote = withProviderIds(script, { account_id: await sandboxLinks.accountIds(linkId) });
    if ('kind' in remote) return remote;
    const outcome = await permission.sandbox.runScript(permission.access, remote);
    return outcome.kind === 'done'
      ? { kind: 'script', rows: outcome.rows }
      : { kind: 'script_failed', index: outcome.index, reason: outcome.reason };
  }

  /** Changes holdings or debts at the bank, unless a step names something unknown. */
  async function change<Step>(
    linkId: string,
    script: readonly Step[] | ScriptFailed,
    signal: AbortSignal,
    run: (
      sandbox: SandboxControls,
      access: ProviderAccess,
      script: readonly Step[],
    ) => Promise<ChangeOutcome>,
  ): Promise<SandboxResult> {
    const permission = await permissionOf(linkId, signal);
    if (permission === null) return { kind: 'not_found' };
    if ('kind' in script) return script;
    const outcome = await run(permission.sandbox, permission.access, script);
    return outcome.kind === 'done' ? outcome : { ...outcome, kind: 'script_failed' };
  }

  /** The sandbox provider of an institution; null = none. */
  async function sandboxOf(
    institutionId: string,
  ): Promise<{ sandbox: SandboxControls; remoteId: string } | null> {
    for (const { provider, remoteId } of await institutions.routesOf(institutionId)) {
      const { sandbox } = providers.get(provider);
      if (sandbox !== undefined) return { sandbox, remoteId };
    }
    return null;
  }

  async function permissionOf(
    linkId: string,
    signal: AbortSignal,
  ): Promise<{ sandbox: SandboxControls; access: ProviderAccess } | null> {
    const found = await credentials.credential(linkId);
    if (found === null) return null;
    const { sandbox } = providers.get(found.provider);
    if (sandbox === undefined)
      throw ApplicationFailure.nonRetryable('This is not a sandbox provider.', 'NotSandbox');
    return {
      sandbox,
      access: unmanagedAccess({
        ...found,
        worldTime: await sandboxLinks.worldTime(linkId),
        signal,
      }),
    };
  }
}

export type SandboxActivities = ReturnType<typeof createSandboxActivities>;
