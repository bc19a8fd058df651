import type { HoldingsStep, LiabilityStep } from '../../../domain/sandbox/investment-script.js';
import type { ChangeOutcome, ProviderAccess } from '../../contract/provider.js';
import { RemoteObject } from '../../http/remote-object.js';
import type { BankClient } from '../client/bank-client.js';
import { callConnection } from '../client/connection-call.js';
import { readImpossible } from './run-remote-script.js';
import { toBankHolding, toBankLiability } from './to-bank-fields.js';

export const runHoldingsScript = (
  callBank: BankClient,
  access: ProviderAccess,
  script: readonly HoldingsStep[],
): Promise<ChangeOutcome> =>
  runChanges(callBank, access, {
    part: 'holdings-script',
    script: script.map((step) => {
      if (step.verb !== 'set') return step;
      const { verb, holding_id, ...fields } = step;
      return { verb, holding_id, fields: toBankHolding(fields) };
    }),
  });

export const runLiabilitiesScript = (
  callBank: BankClient,
  access: ProviderAccess,
  script: readonly LiabilityStep[],
): Promise<ChangeOutcome> =>
  runChanges(callBank, access, {
    part: 'liabilities-script',
    script: script.map(({ verb, account_id, ...fields }) => ({
      verb,
      account_id,
      fields: toBankLiability(fields),
    })),
  });

async function runChanges(
  callBank: BankClient,
  access: ProviderAccess,
  { part, script }: { part: string; script: readonly object[] },
): Promise<ChangeOutcome> {
  const body = { script };
  const response = await callConnection(callBank, access, {
    method: 'POST',
    part,
    body,
    expect: 200,
  });
  return readImpossible(new RemoteObject(response, 'response')) ?? { kind: 'done' };
}
