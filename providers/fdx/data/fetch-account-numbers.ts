import {
  NO_NUMBERS,
  type AccountNumbers,
  type AchNumber,
  type EftNumber,
} from '../../../domain/accounts/account-numbers.js';
import { readEach, type ReadScope } from '../../http/read-scope.js';
import { RemoteObject } from '../../http/remote-object.js';
import type { ProviderAccountNumbers } from '../../contract/provider.js';
import type { ReadResource } from './resource-reader.js';
import type { FdxInstitution } from '../settings.js';
import { readDescriptors } from './account-descriptor.js';
import { readOfEach, type Noting } from './each-account.js';
import { listAll } from './list-pages.js';

/**
 * Reads the payment numbers of each account; accounts that no known network reaches are omitted.
 */
export async function fetchAccountNumbers(
  read: ReadResource,
  institution: FdxInstitution,
  noting: Noting,
): Promise<ProviderAccountNumbers[]> {
  const accounts = await readDescriptors(read, institution, noting);
  const listed = await readOfEach(accounts, noting, async ({ id }) => {
    const scope = { account: id, note: noting.note };
    const networks = await listAll(
      read,
      ['accounts', id, 'payment-networks'],
      'paymentNetworks',
      scope,
    );
    return toAccountNumbers(networks, scope);
  });
  return listed.flatMap(({ id, result: numbers }) =>
    numbers === null ? [] : [{ providerAccountId: id, numbers }],
  );
}

/** One entry of `paymentNetworks`. */
interface Network {
  type: string;
  bankId: string;
  identifier: string;
}

/** @returns null if none of the networks is known */
export function toAccountNumbers(
  remotes: readonly unknown[],
  scope: ReadScope,
): AccountNumbers | null {
  const networks = readEach(remotes, { ...scope, scope: 'account' }, toNetwork);
  const ach = networks.flatMap((network) => toAch(network, networks));
  const eft = networks.flatMap(toEft);
  return ach.length + eft.length === 0 ? null : { ...NO_NUMBERS, ach, eft };
}

/** `0YYYXXXXX` for electronic payments, or `XXXXX-YYY` as on cheques: Y institution, X branch. */
const CANADIAN = /^(?:0(?<y1>\d{3})(?<x1>\d{5})|(?<x2>\d{5})-(?<y2>\d{3}))$/;
const BANK_ID_OF: ReadonlyMap<string, RegExp> = new Map([
  ['US_ACH', /^\d{9}$/],
  ['US_FEDWIRE', /^\d{9}$/],
  ['CA_ACSS', CANADIAN],
]);

function toNetwork(remote: unknown): Network {
  const network = new RemoteObject(remote, 'paymentNetwork');
  const type = network.text('type', { max: 100 });
  return {
    type,
    bankId: network.text('bankId', { max: 20, pattern: BANK_ID_OF.get(type) ?? /^[\d-]+$/ }),
    identifier: network.text('identifier', { max: 40, pattern: /^[\w -]+$/ }),
  };
}

function toAch({ type, bankId, identifier }: Network, all: readonly Network[]): AchNumber[] {
  if (type !== 'US_ACH') return [];
  const wire = all.find((other) => other.type === 'US_FEDWIRE' && other.identifier === identifier);
  return [
    { accountNumber: identifier, routingNumber: bankId, wireRoutingNumber: wire?.bankId ?? null },
  ];
}

function toEft({ type, bankId, identifier }: Network): EftNumber[] {
  const parts = type === 'CA_ACSS' ? CANADIAN.exec(bankId)?.groups : undefined;
  const [institutionNumber, branchNumber] = [
    parts?.['y1'] ?? parts?.['y2'],
    parts?.['x1'] ?? parts?.['x2'],
  ];
  return institutionNumber === undefined || branchNumber === undefined
    ? []
    : [{ accountNumber: identifier, institutionNumber, branchNumber }];
}
