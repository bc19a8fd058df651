/** A number that was counted up to a limit: `1,000+`. */
export const countText = (count: number, limit: number): string =>
  count > limit ? `${limit.toLocaleString('en')}+` : count.toLocaleString('en');
