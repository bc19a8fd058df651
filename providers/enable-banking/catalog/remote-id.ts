/** The vendor's name of a bank: the two parts together are unique. */
export interface AspspName {
  name: string;
  country: string;
}

/**
 * Tributary's id of a bank: `DE/Meridian%20Bank`. It stays as long as the vendor keeps the name.
 */
export const remoteIdOf = ({ name, country }: AspspName): string =>
  `${country}/${encodeURIComponent(name)}`;

/** @returns null for an id that `remoteIdOf` did not create */
export function readRemoteId(remoteId: string): AspspName | null {
  const [, country = '', encoded = ''] = /^([A-Z]{2})\/([^/]+)$/.exec(remoteId) ?? [];
  try {
    const aspsp = { country, name: decodeURIComponent(encoded) };
    return remoteIdOf(aspsp) === remoteId ? aspsp : null;
  } catch {
    return null;
  }
}
