/**
 * API format: UTC without offset, with milliseconds: `2026-03-02T10:15:32.418`. Source: native-api
 * 1.
 */
export function apiTimestamp(instant: Date): string {
  return instant.toISOString().slice(0, -1);
}

/** Parses a timestamp in API format. */
export function parseApiTimestamp(text: string): Date {
  return new Date(`${text}Z`);
}

export function apiTimestampOrNull(instant: Date | null): string | null {
  return instant === null ? null : apiTimestamp(instant);
}

/** Webhook format: with the offset `+00:00`. Source: native-api 1, webhooks 2.1. */
export function webhookTimestamp(instant: Date): string {
  return `${instant.toISOString().slice(0, -1)}+00:00`;
}

/** A calendar day, `YYYY-MM-DD`, in UTC. */
export function utcDay(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** The day `days` after (or, if negative, before) a day `YYYY-MM-DD`. */
export function addDays(day: string, days: number): string {
  const instant = new Date(`${day}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + days);
  return utcDay(instant);
}

/** Whether the text is an existing calendar day `YYYY-MM-DD` of the years 1900 to 9999. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && utcDay(instant) === text && text >= '1900-01-01';
}
