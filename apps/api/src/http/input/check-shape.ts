import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import { validationFailed, type ValidationIssue } from '../../../../../domain/errors/api-errors.js';
import { OWN_MESSAGES } from '../../schemas/issue-messages.js';
import { limitsOf, type InputLimits } from './input-limits.js';
import { inspectInput } from './inspect-input.js';
import { readJson, readParameters, readQuery, type Reading } from './read-input.js';
import type { RouteOptions } from '../route.js';
import { isUndecodable } from './undecodable-path.js';
import { merged, toIssues, type Part } from './validation-issues.js';

interface RequestParts {
  params: Readonly<Record<string, unknown>>;
  /** Including the query string. */
  url: string;
  rawBody: Buffer;
}

/**
 * Checks path, query and body against the route's schemas and returns the parsed values.
 * @throws ApiError with all issues
 */
export async function checkShape(
  route: RouteOptions,
  parts: RequestParts,
): Promise<{ query: unknown; body: unknown }> {
  const limits = limitsOf(route);
  const query = await checkPart(route, 'query', limits, () =>
    readQuery(queryOf(parts.url), limits),
  );
  const body = await checkPart(route, 'body', limits, () =>
    readBodyOf(route, parts.rawBody, limits),
  );
  const issues = pathIssues(parts.params).concat(query.issues, body.issues);
  if (issues.length > 0) throw validationFailed(issues);
  return { query: query.value, body: body.value };
}

interface CheckedPart {
  value: unknown;
  issues: ValidationIssue[];
}

async function checkPart(
  route: RouteOptions,
  part: 'query' | 'body',
  limits: InputLimits,
  read: () => Reading,
): Promise<CheckedPart> {
  const schema = route.input?.[part];
  if (schema === undefined) return { value: undefined, issues: [] };
  const reading = read();
  if ('issue' in reading) return { value: undefined, issues: [reading.issue] };
  const elements = isJson(route, part) ? limits.elements : limits.repetitions;
  const { size, text } = inspectInput(part, reading.value, { ...limits, elements });
  if (size.length > 0) return { value: undefined, issues: size };
  // Parsing a large body takes time, so other requests get a turn before it is checked.
  if (part === 'body') await setImmediate();
  // Only bodies can contain more rows than are checked in one slice.
  const result =
    part === 'body'
      ? await schema.safeParseAsync(reading.value, OWN_MESSAGES)
      : schema.safeParse(reading.value, OWN_MESSAGES);
  const issues = result.success ? text : merged(toIssues(part, result.error), text);
  return { value: result.data, issues };
}

function isJson({ body }: RouteOptions, part: Part): boolean {
  return part === 'body' && body === 'json';
}

function readBodyOf(route: RouteOptions, bytes: Buffer, limits: InputLimits): Reading {
  if (bytes.length === 0 && isOptional(route.input?.body)) return { value: {} };
  if (route.body === 'form') return readParameters('body', bytes.toString('utf8'), limits);
  return readJson(bytes, limits);
}

/** A call whose body is optional accepts none as an empty object. */
export const isOptional = (schema: z.ZodType | undefined): boolean =>
  schema?.safeParse(undefined).success === true;

function queryOf(url: string): string {
  return url.split('?').slice(1).join('?');
}

function pathIssues(params: RequestParts['params']): ValidationIssue[] {
  return Object.entries(params)
    .filter(([, value]) => typeof value === 'string' && isUndecodable(value))
    .map(([name]) => ({
      location: ['path', name],
      message: 'The value cannot be decoded.',
      type: 'undecodable',
    }));
}
