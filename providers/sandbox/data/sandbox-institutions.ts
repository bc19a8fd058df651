import { PRODUCTS } from '../../../domain/link/products.js';
import type { OfferedInstitution } from '../../contract/provider.js';
import { SANDBOX_LOGOS } from './sandbox-logos.js';

/** Every institution of the sandbox bank. Source: link-lifecycle 13.1. */
export const SANDBOX_INSTITUTIONS: readonly OfferedInstitution[] = [
  institution('sandbox-instant-bank', 'Instant Bank', 'none', {
    color: '#0f766e',
    colorDark: '#5eead4',
  }),
  {
    ...institution('sandbox-credentials-bank', 'Credentials Bank', 'credentials', {
      color: '#0a6b4f',
      colorDark: '#41c79a',
    }),
    // Names of the corresponding test institutions of Plaid (plaid-compat 9).
    otherNames: ['First Platypus Bank'],
  },
  {
    ...institution('sandbox-oauth-bank', 'OAuth Bank', 'oauth', {
      color: '#2255aa',
      colorDark: '#88aaff',
    }),
    otherNames: ['Platypus OAuth Bank'],
  },
];

function institution(
  id: string,
  name: string,
  login: OfferedInstitution['login'],
  colors: { color: string; colorDark: string },
): OfferedInstitution {
  const logo = SANDBOX_LOGOS[id];
  return {
    institutionId: id,
    remoteId: id,
    name,
    country: 'US',
    domain: `${id.replace('sandbox-', '')}.example`,
    ...colors,
    isFeatured: true,
    environment: 'sandbox',
    login,
    products: PRODUCTS,
    aliases: [],
    ...(logo === undefined ? {} : { logo }),
  };
}
