import { validationFailed, type ValidationIssue } from '../../../../domain/api-errors.js';
import type { RouteOptions } from './route.js';
import { isUndecodable } from './undecodable-path.js';
import { toIssues, type Part } from './validation-issues.js';

interface RequestParts {
  params: Readonly<Record<string, unknown>>;
  /** With its query. */
  url: string;
  rawBody: Buffer;
}

/** Checks path, query and body against what the route declares, and answers the checked values. @throws ApiError with all issues */
export function checkShape(route: RouteOptions, { params, url, rawBody }: RequestParts): { query: unknown; body: unknown } {
  const issues: ValidationIssue[] = Object.entries(params)
    .filter(([, value]) => typeof value === 'string' && isUndecodable(value))
    .map(([name]) => ({ location: ['path', name], message: 'The value cannot be decoded.', type: 'undecodable' }));
  const check = (part: Part, read: () => unknown): unknown => {
    const schema = part === 'query' ? route.input?.query : route.input?.body;
    if (schema === undefined) return undefined;
    const raw = read();
    if (raw === UNREADABLE) {
      issues.push({ location: [part], message: 'The body is not valid JSON.', type: 'json_invalid' });
      return undefined;
    }
    const result = schema.safeParse(raw, { reportInput: true });
    if (result.success) return result.data;
    issues.push(...toIssues(part, result.error));
    return undefined;
  };
  const query = check('query', () => readParameters(url.split('?').slice(1).join('?')));
  const body = check('body', () => (route.body === 'form' ? readParameters(rawBody.toString('utf8')) : readJson(rawBody)));
  if (issues.length > 0) throw validationFailed(issues);
  return { query, body };
}

const UNREADABLE = Symbol('unreadable');

function readJson(raw: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw)) as unknown;
  } catch {
    return UNREADABLE;
  }
}

/** A parameter given once is a string, given several times an array of strings. */
function readParameters(text: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of new URLSearchParams(text)) {
    const earlier = found[name];
    found[name] = earlier === undefined ? value : typeof earlier === 'string' ? [earlier, value] : [...earlier, value];
  }
  return found;
}
