const DAY_SECONDS = 86_400;
/** PSD2: a permission lasts 180 days at most. */
const MAX_SECONDS = 180 * DAY_SECONDS;
/** The API refuses the bound itself, and measures it by its own clock. */
const MARGIN_SECONDS = 3_600;

/** The end of a permission that is requested now: as late as the bank allows, minus a margin. */
export function validUntil(maxValiditySeconds: number, now: Date): Date {
  const longest = Math.min(maxValiditySeconds, MAX_SECONDS);
  const seconds = longest - Math.min(MARGIN_SECONDS, Math.ceil(longest / 10));
  return new Date(now.getTime() + seconds * 1_000);
}
