import type { Ledger } from '../ledger/ledger.js';
import type { Bank } from '../ledger/ledger.types.js';

const DAY_SECONDS = 86_400;

/** Differences between the vendor's banks. */
export interface AspspFacts {
  maximumConsentValidity: number;
  /** All of them, or none, must come with a call; empty = the bank needs none. */
  requiredPsuHeaders: readonly string[];
  /** `after_login`: rows older than 90 days only within minutes of the login. */
  history: 'after_login' | 'any_time';
  /** `HOLD` for pending rows of cards. */
  cardPending: 'PDNG' | 'HOLD';
  /** Some pages are empty although more follow. */
  hasEmptyPages: boolean;
}

const USUAL: AspspFacts = {
  maximumConsentValidity: 180 * DAY_SECONDS,
  requiredPsuHeaders: ['Psu-Ip-Address', 'Psu-User-Agent'],
  history: 'after_login',
  cardPending: 'PDNG',
  hasEmptyPages: false,
};

const FACTS: Readonly<Record<string, AspspFacts>> = {
  meridian: { ...USUAL, cardPending: 'HOLD' },
  riviere: { ...USUAL, maximumConsentValidity: 90 * DAY_SECONDS, hasEmptyPages: true },
  saaristo: { ...USUAL, requiredPsuHeaders: ['Psu-Ip-Address'] },
  faro: { ...USUAL, requiredPsuHeaders: [], history: 'any_time' },
};

export const factsOf = ({ id }: Bank): AspspFacts => FACTS[id] ?? USUAL;

/** The banks of the vendor, by country if one is given. */
export const aspspsOf = (ledger: Ledger, country: string | null): Bank[] =>
  ledger.data.banks.filter(
    (bank) => bank.vendors.includes('enable-banking') && [null, bank.country].includes(country),
  );

/** One entry of `GET /aspsps` (ASPSPData). */
export function aspspView(bank: Bank): Record<string, unknown> {
  const { maximumConsentValidity, requiredPsuHeaders } = factsOf(bank);
  return {
    name: bank.name,
    country: bank.country,
    logo: `https://${bank.domain}/logo.png`,
    psu_types: ['personal'],
    auth_methods: [
      {
        name: 'simulated',
        title: null,
        psu_type: 'personal',
        credentials: [],
        approach: 'REDIRECT',
        hidden_method: false,
      },
    ],
    maximum_consent_validity: maximumConsentValidity,
    sandbox: null,
    beta: false,
    bic: bank.bic,
    required_psu_headers: requiredPsuHeaders,
    payments: null,
    group: null,
  };
}
