import {
  FAULT_KINDS,
  FAULT_OPERATIONS,
  type SandboxFault,
} from '../../../domain/sandbox/sandbox-fault.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { FaultPlace, SandboxControls } from '../../contract/provider.js';
import type { BankClient } from '../client/bank-client.js';
import { expirePermission } from '../login/end-permission.js';
import { failureOfRefusal, REFUSAL_REASONS } from '../client/failure-table.js';
import { connectImmediately, toPermission } from '../login/permission.js';
import { startLogin } from '../login/start-login.js';
import { RemoteObject } from '../../http/remote-object.js';
import { runHoldingsScript, runLiabilitiesScript } from './run-remote-changes.js';
import { runScript } from './run-remote-script.js';
import { worldFields } from '../client/world.js';

const MAX_FAULTS = 1_000;

/** The controls of the sandbox banks. Source: link-lifecycle 14. */
export function createSandboxControls(
  callBank: BankClient,
  needsLogin: (remoteId: string) => boolean,
): SandboxControls {
  return {
    expirePermission: (access) => expirePermission(callBank, access),
    runScript: (access, script) => runScript(callBank, access, script),
    runHoldingsScript: (access, script) => runHoldingsScript(callBank, access, script),
    runLiabilitiesScript: (access, script) => runLiabilitiesScript(callBank, access, script),
    async logIn(context, { username, password }) {
      if (!needsLogin(context.remoteId)) return connectImmediately(callBank, context);
      const login = await startLogin(callBank, context, 'sign-ins', {
        user_name: username,
        password,
      });
      if (login.oneOf('status', ['CONNECTED', 'REFUSED']) === 'REFUSED')
        throw failureOfRefusal(login.oneOf('reason', REFUSAL_REASONS));
      return toPermission(login, 'ask');
    },
    async createFault(place, { faultId, operation, kind, count, delaySeconds, retryAfterSeconds }) {
      const body = {
        fault_id: faultId,
        operation,
        kind,
        count,
        delay_seconds: delaySeconds,
        retry_after_seconds: retryAfterSeconds,
        ...worldFields(place),
      };
      const { signal } = place;
      return toFault(await callBank({ method: 'POST', path: faultsOf(place), body, signal }));
    },
    async listFaults(place) {
      const response = await callBank({
        method: 'GET',
        path: faultsOf(place),
        query: { world: place.worldId },
        signal: place.signal,
      });
      return new RemoteObject(response, 'response').list('faults', MAX_FAULTS).map(toFault);
    },
    async worldOfFault(faultId, signal) {
      try {
        const response = await callBank({ method: 'GET', path: ['v1', 'faults', faultId], signal });
        return new RemoteObject(response, 'fault').text('world', { max: 100 });
      } catch (error) {
        // The bank returns 404, which for stored access means that it has ended.
        if (
          error instanceof ProviderFailure &&
          ['consent_expired', 'internal'].includes(error.providerCause)
        )
          return null;
        throw error;
      }
    },
    async liftFault(faultId, signal) {
      await callBank({ method: 'DELETE', path: ['v1', 'faults', faultId], signal });
    },
    async forgetWorld(worldId, signal) {
      await callBank({ method: 'DELETE', path: ['v1', 'worlds', worldId], signal });
    },
  };
}

function faultsOf({ remoteId }: FaultPlace): readonly string[] {
  return ['v1', 'institutions', remoteId, 'faults'];
}

function toFault(remote: unknown): SandboxFault {
  const fault = new RemoteObject(remote, 'fault');
  return {
    faultId: fault.text('fault_id', { max: 100 }),
    operation: fault.oneOf('operation', FAULT_OPERATIONS),
    kind: fault.oneOf('kind', FAULT_KINDS),
    remaining: fault.numberOrNull('remaining'),
    delaySeconds: fault.numberOrNull('delay_seconds') ?? 0,
    retryAfterSeconds: fault.numberOrNull('retry_after_seconds'),
    createdAt: fault.timestamp('created_at'),
  };
}
