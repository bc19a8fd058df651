import {
  FAULT_KINDS,
  FAULT_OPERATIONS,
  type SandboxFault,
} from '../../../domain/sandbox/sandbox-fault.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { FaultPlace, LinkedOutcome, LoginContext, SandboxControls } from '../../provider.js';
import type { BankClient } from '../client/bank-client.js';
import { connectImmediately } from '../login/instant-login.js';
import { expirePermission } from './expire-permission.js';
import { failureOfRefusal, REFUSAL_REASONS } from '../client/failure-table.js';
import { loginRequestOf } from '../login/open-login.js';
import { toPermission } from '../login/permission.js';
import { RemoteObject } from '../../http/remote-object.js';
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

    async logIn(context, { username, password }) {
      if (!needsLogin(context.remoteId))
        return asLinked(await connectImmediately(callBank, context));
      return signIn(callBank, context, { username, password });
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
      const response = await callBank({
        operation: 'data',
        method: 'POST',
        path: faultsOf(place),
        body,
        expect: 201,
        signal: place.signal,
      });
      return toFault(response);
    },

    async listFaults(place) {
      const response = await callBank({
        operation: 'data',
        method: 'GET',
        path: faultsOf(place),
        query: { world: place.worldId },
        expect: 200,
        signal: place.signal,
      });
      return new RemoteObject(response, 'response').list('faults', MAX_FAULTS).map(toFault);
    },

    async worldOfFault(faultId, signal) {
      try {
        const response = await callBank({
          operation: 'data',
          method: 'GET',
          path: ['v1', 'faults', faultId],
          expect: 200,
          signal,
        });
        return new RemoteObject(response, 'fault').text('world', { max: 100 });
      } catch (error) {
        // The bank returns 404, which for stored access means that it has ended.
        if (
          error instanceof ProviderFailure &&
          ['consent_expired', 'internal'].includes(error.provider_cause)
        )
          return null;
        throw error;
      }
    },

    async liftFault(faultId, signal) {
      await callBank({
        operation: 'data',
        method: 'DELETE',
        path: ['v1', 'faults', faultId],
        expect: 204,
        signal,
      });
    },

    async forgetWorld(worldId, signal) {
      await callBank({
        operation: 'data',
        method: 'DELETE',
        path: ['v1', 'worlds', worldId],
        expect: 204,
        signal,
      });
    },
  };
}

async function signIn(
  callBank: BankClient,
  context: LoginContext,
  { username, password }: { username: string; password: string },
): Promise<LinkedOutcome> {
  const { headers, body } = loginRequestOf(context);
  const response = await callBank({
    operation: 'login',
    method: 'POST',
    path: ['v1', 'institutions', context.remoteId, 'sign-ins'],
    headers,
    body: { ...body, user_name: username, password },
    expect: 201,
    signal: context.signal,
  });
  const login = new RemoteObject(response, 'login');
  if (login.oneOf('status', ['CONNECTED', 'REFUSED']) === 'REFUSED')
    throw failureOfRefusal(login.oneOf('reason', REFUSAL_REASONS));
  return toPermission(login, 'ask');
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

function asLinked(outcome: Awaited<ReturnType<typeof connectImmediately>>): LinkedOutcome {
  if (outcome.kind === 'linked') return outcome;
  throw new ProviderFailure('internal', 'A bank without a login asked for one.');
}
