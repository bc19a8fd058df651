/** The address of the service's copy of a logo, which changes with its content; null = there is none. */
export function logoAddress(baseUrl: string, digest: string | null): string | null {
  return digest === null ? null : `${baseUrl}${LOGOS_PATH}${digest}.png`;
}

/** The path of all copies. Below it, the name is the digest. */
export const LOGOS_PATH = '/connect/logos/';

const NAME = /^([0-9a-f]{64})\.png$/;

/** The digest in the last part of an address; null = it names no logo. */
export const digestOfLogo = (name: string): string | null => NAME.exec(name)?.[1] ?? null;
