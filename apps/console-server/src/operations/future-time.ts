import { OperationRefused } from './operation.js';

/** A time that is not over yet; null = none is given. @throws OperationRefused */
export function futureTime(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null;
  const time = new Date(text);
  if (time.getTime() <= now.getTime())
    throw new OperationRefused(422, 'console.time_is_past', 'The time must be in the future.');
  return time;
}
