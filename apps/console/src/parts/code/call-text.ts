/** A call of the API, for people who want to make it themselves. */
export interface ApiCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** With its values: `/sandbox/worlds/wrl_…/advance`. */
  path: string;
  /** Its operation: `sandbox.advanceWorld`. */
  operation: string;
  /** The values in the path, in its order. */
  values: readonly string[];
  body?: Readonly<Record<string, unknown>> | undefined;
}

export type Language = 'curl' | 'node' | 'python';
export const LANGUAGES: readonly Language[] = ['curl', 'node', 'python'];
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  curl: 'curl',
  node: 'Node',
  python: 'Python',
};

/** @param baseUrl the address of the public API */
export function callText(call: ApiCall, language: Language, baseUrl: string): string {
  return { curl: curlText, node: nodeText, python: pythonText }[language](call, baseUrl);
}

function curlText({ method, path, body }: ApiCall, baseUrl: string): string {
  const lines = [
    `curl${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : ` -X ${method}`} "${baseUrl}${path}"`,
    `-H "Authorization: Bearer $TOKEN"`,
    ...(body === undefined
      ? []
      : [`-H 'content-type: application/json'`, `-d ${shellQuoted(JSON.stringify(body))}`]),
  ];
  return lines.join(' \\\n  ');
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function nodeText({ operation, values, body }: ApiCall): string {
  const parts = [...values.map((value) => jsText(value)), ...(isEmpty(body) ? [] : [jsText(body)])];
  return `import { Tributary } from '@tributary/node';

const tributary = new Tributary();
console.log(await tributary.${operation}(${parts.join(', ')}));`;
}

function pythonText({ operation, values, body }: ApiCall): string {
  const parts = [
    ...values.map((value) => pythonValue(value)),
    ...Object.entries(body ?? {})
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${pythonValue(value)}`),
  ];
  const [resource = '', call = ''] = operation.split('.');
  return `from tributary import Tributary

with Tributary() as tributary:
    print(tributary.${snakeCase(resource)}.${snakeCase(call)}(${parts.join(', ')}))`;
}

const isEmpty = (body: ApiCall['body']): boolean =>
  body === undefined || Object.values(body).every((value) => value === undefined);

const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function jsText(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(jsText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([name, item]) => `${/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name)}: ${jsText(item)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function pythonValue(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value === 'object') {
    const fields = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([name, item]) => `${quoted(name)}: ${pythonValue(item)}`);
    return `{${fields.join(', ')}}`;
  }
  return JSON.stringify(value);
}

/** A literal of both languages: the escapes of JSON are theirs as well. */
const quoted = (text: string): string => JSON.stringify(text);
