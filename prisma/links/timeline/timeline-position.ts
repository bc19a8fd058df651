/** The places before which the next page of a timeline begins, one for each of its sources. */
export interface TimelinePosition {
  operator: bigint;
  route: bigint;
  session: { at: Date; sessionId: string };
  unrevoked: bigint;
  event: bigint;
  /** Of the moments that the link and its credential keep: their time, and their order at one time. */
  moment: { at: Date; order: number };
}

const BEYOND_ALL = 2n ** 63n - 1n;
const LAST_TIME = new Date('9999-12-31T00:00:00Z');

/** The newest end of every source. */
export const NEWEST: TimelinePosition = {
  operator: BEYOND_ALL,
  route: BEYOND_ALL,
  session: { at: LAST_TIME, sessionId: '' },
  unrevoked: BEYOND_ALL,
  event: BEYOND_ALL,
  moment: { at: LAST_TIME, order: 0 },
};

/** Opaque text for operators. It holds keys of rows, so an API would seal it. */
export function encodeTimelinePosition(position: TimelinePosition): string {
  const { operator, route, session, unrevoked, event, moment } = position;
  const parts = [
    ...[operator, route, unrevoked, event].map(String),
    ...[session.at.getTime(), session.sessionId, moment.at.getTime(), moment.order],
  ];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Null for any other text. */
export function decodeTimelinePosition(text: string): TimelinePosition | null {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
  if (!Array.isArray(parts) || parts.length !== 8) return null;
  const keys = parts.slice(0, 4);
  const [sessionAt, sessionId, momentAt, order] = parts.slice(4) as unknown[];
  if (!keys.every((key) => typeof key === 'string' && /^\d{1,19}$/.test(key))) return null;
  if (!isTime(sessionAt) || typeof sessionId !== 'string' || !/^\w{0,40}$/.test(sessionId))
    return null;
  if (!isTime(momentAt) || !Number.isInteger(order)) return null;
  const [operator, route, unrevoked, event] = (keys as string[]).map((key) => BigInt(key)) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  if ([operator, route, unrevoked, event].some((key) => key > BEYOND_ALL)) return null;
  return {
    operator,
    route,
    unrevoked,
    event,
    session: { at: new Date(sessionAt), sessionId },
    moment: { at: new Date(momentAt), order: order as number },
  };
}

const isTime = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(value as number) <= LAST_TIME.getTime();
