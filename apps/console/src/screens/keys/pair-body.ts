const DAY_MS = 86_400_000;

/** What a person chose for a new key pair. */
export interface ChosenPair {
  label: string;
  /** Null = every call. */
  scopes: readonly string[] | null;
  /** Until its end; empty = none. */
  days: string;
  /** Percent; empty = as usual for such a pair. */
  share: string;
}

export const EVERY_CALL: ChosenPair = { label: '', scopes: null, days: '', share: '' };

/** The body of `POST /apps/:app/:env/pairs`: what was not chosen is not in it. */
export function pairBody(
  { label, scopes, days, share }: ChosenPair,
  now: Date,
): Record<string, unknown> {
  return {
    ...(label.trim() === '' ? {} : { label: label.trim() }),
    ...(scopes === null ? {} : { scopes }),
    ...(days === ''
      ? {}
      : { ends_at: new Date(now.getTime() + Number(days) * DAY_MS).toISOString() }),
    ...(share === '' ? {} : { share_percent: Number(share) }),
  };
}
