import { NO_NUMBERS } from '../../../domain/accounts/account-numbers.js';
import type { ProviderAccess, ProviderAccountNumbers } from '../../contract/provider.js';
import { MAX_ACCOUNTS } from './fetch-accounts.js';
import type { BankClient } from '../client/bank-client.js';
import { callConnection } from '../client/connection-call.js';
import { readEach, readPart, Unreadable } from '../../http/read-scope.js';
import { RemoteObject } from '../../http/remote-object.js';

export async function fetchAccountNumbers(
  callBank: BankClient,
  access: ProviderAccess,
): Promise<ProviderAccountNumbers[]> {
  const response = await callConnection(callBank, access, { part: 'account-numbers' });
  const { note } = access;
  const listed = new RemoteObject(response, 'response').list('account_numbers', MAX_ACCOUNTS);
  const seen = new Set<string>();
  const numbers = readEach(listed, { scope: 'account', account: null, note }, (remote) => {
    const account = new RemoteObject(remote, 'account_number').text('account_id', { max: 100 });
    return readPart({ scope: 'account', account, note }, () => {
      if (seen.has(account))
        throw new Unreadable('account_number', 'account_id', 'repeated', 'one');
      seen.add(account);
      return toAccountNumbers(remote);
    });
  });
  return numbers.filter((number) => number !== null);
}

/** All institutions of the sandbox bank are American. */
export function toAccountNumbers(remote: unknown): ProviderAccountNumbers {
  const number = new RemoteObject(remote, 'account_number');
  return {
    providerAccountId: number.text('account_id', { max: 100 }),
    numbers: {
      ...NO_NUMBERS,
      ach: [
        {
          accountNumber: number.text('account_number', { max: 40, pattern: /^[\w -]+$/ }),
          routingNumber: number.text('routing_number', { max: 9, pattern: /^\d{9}$/ }),
          wireRoutingNumber: null,
        },
      ],
    },
  };
}
