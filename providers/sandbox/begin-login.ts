import type { LoginContext, LoginOutcome } from '../provider.js';
import type { BankClient } from './bank-client.js';
import { encodeCredential } from './credential.js';
import { RemoteObject } from './remote-object.js';

const TOKEN = /^[\w-]+$/;

/** Instant Bank connects at once: no form, every account and product granted. Source: link-lifecycle 13.1. */
export async function beginLogin(callBank: BankClient, context: LoginContext): Promise<LoginOutcome> {
  const answer = await callBank({
    operation: 'login',
    method: 'POST',
    path: ['v1', 'institutions', context.remoteId, 'connections'],
    headers: { 'idempotency-key': encodeURIComponent(context.attemptKey) },
    body: { customer_reference: context.customerUserId, world: context.worldId },
    expect: 201,
    signal: context.signal,
  });
  const connection = new RemoteObject(answer, 'connection');
  const connectionId = connection.text('connection_id', { max: 100, pattern: TOKEN });
  const accessToken = connection.text('access_token', { max: 200, pattern: TOKEN });
  return {
    kind: 'linked',
    credential: encodeCredential({ connectionId, accessToken }),
    reference: connectionId,
    consent: 'given_at_bank',
  };
}
