import { NO_NUMBERS } from '../../../domain/accounts/account-numbers.js';
import type { ProviderAccess, ProviderAccountNumbers } from '../../provider.js';
import { MAX_ACCOUNTS } from './fetch-accounts.js';
import type { BankClient } from '../client/bank-client.js';
import { callConnection } from '../client/connection-call.js';
import { malformed, RemoteObject } from '../../http/remote-object.js';

export async function fetchAccountNumbers(
  callBank: BankClient,
  access: ProviderAccess,
): Promise<ProviderAccountNumbers[]> {
  const response = await callConnection(callBank, access, { part: 'account-numbers' });
  const numbers = new RemoteObject(response, 'response')
    .list('account_numbers', MAX_ACCOUNTS)
    .map(toAccountNumbers);
  if (new Set(numbers.map(({ providerAccountId }) => providerAccountId)).size !== numbers.length) {
    throw malformed('the numbers of an account occur twice');
  }
  return numbers;
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
