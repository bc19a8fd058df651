const DAY_MS = 86_400_000;

/** @returns YYYY-MM-DD in UTC */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

export const daysBefore = (moment: Date, days: number): Date =>
  new Date(moment.getTime() - days * DAY_MS);
