import type { ProviderInstitution } from '../provider.js';

/** Source: link-lifecycle 13.1. */
export const SANDBOX_INSTITUTIONS: readonly ProviderInstitution[] = [
  {
    institutionId: 'sandbox-instant-bank',
    remoteId: 'sandbox-instant-bank',
    name: 'Instant Bank',
    country: 'US',
    domain: 'instant-bank.example',
    color: '#0f766e',
    colorDark: '#5eead4',
    isFeatured: true,
    environment: 'sandbox',
    login: 'none',
    products: ['accounts', 'transactions'],
    aliases: [],
  },
];
