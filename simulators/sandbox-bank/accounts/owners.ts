import { accountIdOf, accountsShownTo } from './accounts.js';
import type { Owner } from '../customers/custom-data.js';
import { dataKindOf, dataSeedOf, type Customer } from '../customers/customer.js';
import { drawsFrom } from './draws.js';
import { HOMES, FIRST_NAMES, LAST_NAMES, STREETS } from './people.js';

export interface BankOwner extends Owner {
  account_ids: string[];
}

/** link-lifecycle 13.2: one owner on every account, chosen by seed; 13.4: unless custom data names them. */
export function ownersOf(customer: Customer): BankOwner[] {
  const account_ids = accountsShownTo(customer).map((account) => accountIdOf(customer, account));
  if (account_ids.length === 0) return [];
  const custom = dataKindOf(customer) === 'custom' ? (customer.customData?.owners ?? null) : null;
  return (custom ?? [drawnOwner(customer)]).map((owner) => ({ account_ids, ...owner }));
}

function drawnOwner(customer: Customer): Owner {
  const draws = drawsFrom(`${dataSeedOf(customer)}/owner`);
  const [first, last, home] = [draws.pick(FIRST_NAMES), draws.pick(LAST_NAMES), draws.pick(HOMES)];
  return {
    names: [`${first} ${last}`],
    addresses: [
      {
        street: `${draws.integer(10, 9_899)} ${draws.pick(STREETS)}`,
        city: home.city,
        region: home.region,
        postal_code: home.postalCode,
        country: 'US',
        primary: true,
      },
    ],
    // 555-0100 to 555-0199 are reserved for fiction
    phone_numbers: [
      {
        number: `+1${home.areaCode}55501${String(draws.integer(0, 99)).padStart(2, '0')}`,
        primary: true,
        type: 'mobile',
      },
    ],
    emails: [{ address: `${first}.${last}@example.com`.toLowerCase(), primary: true }],
  };
}
