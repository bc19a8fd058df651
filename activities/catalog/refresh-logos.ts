import type { LogoRepository } from '../../prisma/sources/institutions/logo.repository.js';
import type { FetchLogo } from '../../providers/logos/fetch-logo.js';

export interface LogoDeps {
  logos: Pick<LogoRepository, 'due' | 'keep' | 'assign'>;
  fetchLogo: FetchLogo;
  encodeLogo: (picture: Uint8Array) => Promise<Uint8Array | null>;
  now: () => Date;
}

/** Logos of one sync; the next sync reads the others. */
const MAX_LOGOS = 3_000;
const AT_ONCE = 8;
/** A sync ends in time even if every address is silent. */
const WITHIN_MS = 60_000;

/**
 * Reads the logos of a provider's institutions that are new or a week old. A logo that cannot be
 * read is no failure: its institution keeps the last one, or has a monogram.
 */
export async function refreshLogos(
  { logos, fetchLogo, encodeLogo, now }: LogoDeps,
  provider: string,
  signal: AbortSignal,
): Promise<void> {
  const until = now().getTime() + WITHIN_MS;
  const left = (await logos.due(provider, MAX_LOGOS)).values();
  const readSome = async (): Promise<void> => {
    for (const address of left) {
      if (now().getTime() >= until) return;
      const picture = await fetchLogo(address, signal);
      await logos.keep(address, picture && (await encodeLogo(picture)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, readSome));
  await logos.assign();
}
