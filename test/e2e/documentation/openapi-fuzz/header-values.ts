import fc from 'fast-check';
import { oddText } from './odd-values.js';
import type { Operation } from './operations.js';

/** Header values that a client can send. */
const headerText = oddText.map((text) =>
  text
    .replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '')
    .trim()
    .slice(0, 2_000),
);

type Headers = Record<string, fc.Arbitrary<string>>;

export function headersOf(
  { parameters, body }: Operation,
  odd: boolean,
): fc.Arbitrary<Record<string, string>> {
  const names = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  const tidy = some(
    Object.fromEntries(names.map((name) => [name, tidyHeader(name)])),
    names.length,
  );
  if (!odd) return tidy;
  const strange = {
    ...Object.fromEntries(
      names.map((name) => [
        name,
        fc.oneof(
          headerText,
          fc.constantFrom('2020-01-01', '2023-02-18, 2023-02-18', 'a b', 'a'.repeat(256)),
        ),
      ]),
    ),
    ...ODD_HEADERS,
    ...(body === null ? {} : ODD_HEADERS_OF_BODIES),
  };
  return fc.oneof({ weight: 3, arbitrary: tidy }, { weight: 2, arbitrary: some(strange, 2) });
}

function tidyHeader(name: string): fc.Arbitrary<string> {
  return name.endsWith('-version')
    ? fc.constantFrom('2023-02-18', '2026-11-25', '2026-11-27')
    : fc.oneof({ weight: 1, arbitrary: fc.constant('key-1') }, { weight: 3, arbitrary: fc.uuid() });
}

const ODD_HEADERS: Headers = {
  'service-request-id': headerText,
  'if-none-match': fc.oneof(headerText, fc.constantFrom('*', 'W/"a", "b"')),
  origin: fc.constantFrom('null', 'https://evil.example', '*'),
  'x-forwarded-for': fc.constantFrom('1.2.3.4', 'x', '::1, ::2'),
  accept: fc.constantFrom('text/html', '*/*;q=0', 'application/xml'),
};

const ODD_HEADERS_OF_BODIES: Headers = {
  'content-type': fc.constantFrom(
    'text/plain',
    'application/json; charset=utf-16',
    'application/json;charset="utf-8"',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'application/json, text/plain',
    'APPLICATION/JSON',
    ';',
    'application/vnd.api+json',
  ),
  'content-encoding': fc.constantFrom('gzip', 'identity', 'br', ''),
};

/** At most this many of these headers. */
function some(headers: Headers, maxLength: number): fc.Arbitrary<Record<string, string>> {
  return fc
    .tuple(
      fc.record(headers, { noNullPrototype: true }),
      fc.subarray(Object.keys(headers), { maxLength }),
    )
    .map(([values, names]) =>
      Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name))),
    );
}
