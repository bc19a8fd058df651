import { isIP } from 'node:net';
import type { SimulatorRequest } from '../../http/request.js';
import type { Ledger } from '../ledger/ledger.js';
import type { AspspFacts } from './aspsps.js';
import { refusal } from './errors.js';

const DAY_MS = 86_400_000;
const MAX_UNATTENDED_CALLS = 4;

/** Calls without the end user: four within 24 hours for each account and resource (EBA). */
export class UnattendedQuota {
  readonly #calls = new Map<string, number[]>();

  constructor(private readonly ledger: Ledger) {
    ledger.onReset(() => this.#calls.clear());
  }

  /** @throws Refusal 429 for the fifth call */
  use(accountId: string, resource: string): void {
    const now = this.ledger.now().getTime();
    const key = `${accountId}/${resource}`;
    const calls = (this.#calls.get(key) ?? []).filter((at) => at > now - DAY_MS);
    if (calls.length >= MAX_UNATTENDED_CALLS) {
      throw refusal('ASPSP_RATE_LIMIT_EXCEEDED', 'Daily access limit without the PSU is used up');
    }
    this.#calls.set(key, [...calls, now]);
  }
}

/**
 * Returns whether the end user is present, by the headers that describe them.
 * @throws Refusal 422 when some of the bank's required headers are present and others are missing,
 *   or an address is not valid
 */
export function isAttended(
  request: SimulatorRequest,
  { requiredPsuHeaders }: Pick<AspspFacts, 'requiredPsuHeaders'>,
): boolean {
  const given = Object.keys(request.headers).filter((name) => name.startsWith('psu-'));
  if (given.length === 0) return false;
  for (const name of requiredPsuHeaders) {
    if (!request.header(name)) {
      throw refusal('PSU_HEADER_NOT_PROVIDED', `PSU header ${name} is not provided`);
    }
  }
  const address = request.header('psu-ip-address');
  if (address !== null && isIP(address) === 0)
    throw refusal('PSU_HEADER_INVALID', 'Psu-Ip-Address');
  return true;
}
