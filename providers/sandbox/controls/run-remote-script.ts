import type { ScriptStep } from '../../../domain/sandbox/sandbox-script.js';
import type { ProviderAccess, ScriptOutcome } from '../../contract/provider.js';
import type { BankClient } from '../client/bank-client.js';
import { callConnection } from '../client/connection-call.js';
import { RemoteObject } from '../../http/remote-object.js';

const MAX_ROWS = 200;
const STATUS_OF = { PENDING: 'pending', BOOKED: 'posted', GONE: 'gone' } as const;
const STATUSES = Object.keys(STATUS_OF) as (keyof typeof STATUS_OF)[];

export async function runScript(
  callBank: BankClient,
  access: ProviderAccess,
  script: readonly ScriptStep[],
): Promise<ScriptOutcome> {
  const body = { script: script.map(toRemoteStep) };
  const response = new RemoteObject(
    await callConnection(callBank, access, { method: 'POST', part: 'script', body, expect: 200 }),
    'response',
  );
  const impossible = readImpossible(response);
  if (impossible !== null) return impossible;
  const rows = response.list('rows', MAX_ROWS).map((remote) => {
    const row = new RemoteObject(remote, 'row');
    return {
      ref: row.text('ref', { max: 100 }),
      providerTransactionId: row.text('transaction_id', { max: 100 }),
      status: STATUS_OF[row.oneOf('status', STATUSES)],
    };
  });
  return { kind: 'done', rows };
}

/** The step that the bank could not carry out; null = there was none. */
export function readImpossible(
  response: RemoteObject,
): Extract<ScriptOutcome, { kind: 'impossible' }> | null {
  const impossible = response.objectOrNull('impossible');
  return impossible === null
    ? null
    : {
        kind: 'impossible',
        index: impossible.wholeNumber('index', { max: MAX_ROWS }),
        reason: impossible.text('reason', { max: 200 }),
      };
}

/** Translates a step into the bank's vocabulary. */
export function toRemoteStep(step: ScriptStep): Readonly<Record<string, unknown>> {
  const {
    raw_description: statementText,
    type,
    ...same
  } = { raw_description: undefined, type: undefined, ...step };
  return {
    ...same,
    ...(statementText === undefined ? {} : { statement_text: statementText }),
    ...(type === undefined ? {} : { direction: type === 'debit' ? 'OUT' : 'IN' }),
  };
}
