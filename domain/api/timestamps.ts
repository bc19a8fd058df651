/** API form: UTC, no offset, milliseconds: `2026-03-02T10:15:32.418`. Source: native-api 1. */
export function apiTimestamp(instant: Date): string {
  return instant.toISOString().slice(0, -1);
}

/** The instant of a timestamp in API form. */
export function parseApiTimestamp(text: string): Date {
  return new Date(`${text}Z`);
}

export function apiTimestampOrNull(instant: Date | null): string | null {
  return instant === null ? null : apiTimestamp(instant);
}

/** Webhook form: with offset `+00:00`. Source: native-api 1, webhooks 2.1. */
export function webhookTimestamp(instant: Date): string {
  return `${instant.toISOString().slice(0, -1)}+00:00`;
}

/** A calendar day, `YYYY-MM-DD`, in UTC. */
export function utcDay(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** The day `days` after (or before, when negative) a day `YYYY-MM-DD`. */
export function addDays(day: string, days: number): string {
  const instant = new Date(`${day}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + days);
  return utcDay(instant);
}

/** True for a real day of the calendar written `YYYY-MM-DD`, years 1900 to 9999. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && utcDay(instant) === text && text >= '1900-01-01';
}
