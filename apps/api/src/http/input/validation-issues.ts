import type { z } from 'zod';
import type { ValidationIssue } from '../../../../../domain/errors/api-errors.js';

/** Where a value came from: the first part of every location. Source: native-api 5.1. */
export type Part = 'path' | 'query' | 'body';

/** The issues of a zod check in the form of the wire. No value is repeated: it may be a secret. */
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

/** All issues of `found`, and those of `more` that stand in no place `found` names already. */
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
