import type { z } from 'zod';
import type { ValidationIssue } from '../../../../../domain/errors/api-errors.js';

/** The source of a value, which is the first part of its location. Source: native-api 5.1. */
export type Part = 'path' | 'query' | 'body';

/**
 * Converts the issues of a zod check to the wire format. Values are never repeated, because they
 * may be secret.
 */
export function toIssues(part: Part, error: z.ZodError): ValidationIssue[] {
  return error.issues.map((issue) => ({
    location: [part, ...issue.path.map((key) => (typeof key === 'number' ? key : String(key)))],
    message: issue.message,
    type: typeOf(issue),
  }));
}

function typeOf(issue: z.core.$ZodIssue): string {
  const missing = issue.code === 'invalid_type' && 'input' in issue && issue.input === undefined;
  return missing ? 'missing' : issue.code === 'custom' ? 'invalid' : issue.code;
}

/** All issues of `found`, plus those of `more` at locations that `found` does not cover. */
export function merged(
  found: readonly ValidationIssue[],
  more: readonly ValidationIssue[],
): ValidationIssue[] {
  if (more.length === 0) return [...found];
  const known = new Set(found.map(({ location }) => JSON.stringify(location)));
  const isKnown = (location: ValidationIssue['location']): boolean =>
    location.some((_, end) => known.has(JSON.stringify(location.slice(0, end + 1))));
  return [...found, ...more.filter(({ location }) => !isKnown(location))];
}
