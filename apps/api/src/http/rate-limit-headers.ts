import type { Response } from 'express';
import type { Pace } from '../../../platform/src/limits/token-buckets.js';

/**
 * Shows a caller its limit and what is left of it, so that it can slow down before it is refused.
 * Source: draft-ietf-httpapi-ratelimit-headers-11.
 * @param pace null = without a limit
 */
export function showPace(response: Response, policy: string, pace: Pace | null): void {
  if (pace === null) return;
  const { quota, windowSeconds, remaining, fullAfterSeconds } = pace;
  response.setHeader('RateLimit-Policy', `"${policy}";q=${quota};w=${windowSeconds}`);
  response.setHeader('RateLimit', `"${policy}";r=${remaining};t=${fullAfterSeconds}`);
}
