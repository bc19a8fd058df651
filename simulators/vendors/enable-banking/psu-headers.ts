import { isIP } from 'node:net';
import type { SimulatorRequest } from '../../http/request.js';
import type { AspspFacts } from './aspsps.js';
import { refusal } from './errors.js';

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
