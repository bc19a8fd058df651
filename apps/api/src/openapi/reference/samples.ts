import { escapeHtml } from '../../http/html-page.js';
import type { MediaObject, ResponseObject } from '../document.types.js';
import type { ShownOperation } from './shown-operation.js';

/** The sample of a call: a request with curl, and the body of its response. */
export function samples(operation: ShownOperation, baseUrl: string): string {
  const answer = successOf(operation.responses);
  return `<div class="samples">${sample('Request', curl(operation, baseUrl))}${
    answer === undefined ? '' : sample(`Response ${answer.status}`, answer.text)
  }</div>`;
}

export const sample = (title: string, text: string): string =>
  `<h4>${escapeHtml(title)}</h4><pre><code>${escapeHtml(text)}</code></pre>`;

/** An example as text, if there is one. */
export function exampleOf({ example, examples }: MediaObject): string | undefined {
  const value = example ?? Object.values(examples ?? {})[0]?.value;
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function successOf(
  responses: Readonly<Record<string, ResponseObject>>,
): { status: string; text: string } | undefined {
  const [status, response] = Object.entries(responses).find(([each]) => each.startsWith('2')) ?? [];
  const [media] = Object.values(response?.content ?? {});
  const text = media === undefined ? undefined : exampleOf(media);
  return status === undefined || text === undefined ? undefined : { status, text };
}

/** The call with curl. Secrets and tokens are variables of the shell, and ids of a path keep their names. */
function curl(operation: ShownOperation, baseUrl: string): string {
  const { method, path, parameters = [] } = operation;
  const query = parameters
    .filter(({ in: place, required }) => place === 'query' && required)
    .map(({ name }) => `${name}=${name.toUpperCase()}`)
    .join('&');
  const url = `${baseUrl}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())}${query === '' ? '' : `?${query}`}`;
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${url}'`,
    ...credentialOf(operation),
    ...bodyOf(operation),
  ].join(' \\\n  ');
}

function credentialOf({ security = [] }: ShownOperation): string[] {
  const [scheme = ''] = security.flatMap((each) => Object.keys(each));
  if (scheme === 'accessToken') return ['-H "Authorization: Bearer $ACCESS_TOKEN"'];
  if (scheme === 'connectToken') return ['-H "Authorization: Bearer $CONNECT_TOKEN"'];
  return scheme === 'clientPair' ? ['-u "$CLIENT_ID:$CLIENT_SECRET"'] : [];
}

function bodyOf({ requestBody }: ShownOperation): string[] {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || media === undefined) return [];
  const { example } = media;
  if (type === 'application/x-www-form-urlencoded')
    return Object.entries((example ?? {}) as Record<string, string>).map(
      ([name, value]) => `-d ${quoted(`${name}=${value}`)}`,
    );
  const text = exampleOf(media);
  return text === undefined ? [] : [`-H 'Content-Type: ${type}'`, `-d ${quoted(text)}`];
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
