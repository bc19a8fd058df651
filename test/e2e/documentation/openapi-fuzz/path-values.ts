import fc from 'fast-check';
import { idsFrom } from './known-values.js';
import { oddText } from './odd-values.js';
import type { Operation } from './operations.js';
import type { Stage } from './stages.js';

export function pathValuesOf(
  { path, parameters }: Operation,
  { has, victim }: Stage,
  odd: boolean,
): fc.Arbitrary<Record<string, string>> {
  const values = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => {
      const tidy = valuesNamed(path, name, has, victim.has);
      return [
        name,
        odd
          ? fc.oneof(
              tidy,
              oddText.filter((text) => text !== ''),
            )
          : tidy,
      ] as const;
    });
  return fc.record(Object.fromEntries(values), { noNullPrototype: true });
}

function valuesNamed(
  path: string,
  name: string,
  own: Stage['has'],
  victims: Stage['has'],
): fc.Arbitrary<string> {
  switch (name) {
    case 'account_id':
      return idsFrom(own.accounts, victims.accounts, 'acc_');
    case 'transaction_id':
      return idsFrom(own.transactions, victims.transactions, 'txn_');
    case 'world_id':
      return idsFrom(own.worlds, victims.worlds, 'wld_');
    case 'fault_id':
      return idsFrom(own.faults, victims.faults, 'flt_');
    case 'token':
      return idsFrom(own.deliveryTokens, victims.deliveryTokens, 'whd_');
    case 'token_id':
      return idsFrom(own.simplefinTokens, victims.simplefinTokens, 'sft_');
    case 'institution_id':
      return fc.constantFrom(
        'sandbox-instant-bank',
        'sandbox-oauth-bank',
        'sandbox-credentials-bank',
        'unknown-bank',
      );
    default:
      if (path.startsWith('/users/')) return idsFrom(own.users, victims.users, 'user-');
      if (path.startsWith('/link-sessions/'))
        return idsFrom(own.sessions, victims.sessions, 'ses_');
      if (path.startsWith('/webhooks/listeners/'))
        return idsFrom(own.listeners, victims.listeners, 'lsn_');
      if (path.startsWith('/webhooks/events/')) return idsFrom(own.events, victims.events, 'evt_');
      return idsFrom(own.links, victims.links, 'mk_');
  }
}
