import { request } from 'node:http';
import fc from 'fast-check';

/** The variations of a path that some server or proxy may still treat as the same path. */
export type Respelling =
  | 'upper case'
  | 'a doubled slash'
  | 'an encoded letter'
  | 'a slash at its end'
  | 'a path parameter'
  | 'a dot segment'
  | 'a dot segment back';

interface Choice {
  /** The literal segment that is changed, and the place in it. Both are taken modulo. */
  segment: number;
  letter: number;
}

const RESPELL: Readonly<Record<Respelling, (segments: string[], choice: Choice) => string[]>> = {
  'upper case': (segments, choice) => changeLetter(segments, choice, (it) => it.toUpperCase()),
  'an encoded letter': (segments, choice) =>
    changeLetter(segments, choice, (it) => `%${it.charCodeAt(0).toString(16)}`),
  'a doubled slash': (segments, { segment }) =>
    segments.toSpliced(segment % (segments.length + 1), 0, ''),
  'a slash at its end': (segments) => [...segments, ''],
  'a path parameter': (segments, choice) =>
    changeSegment(segments, choice, (segment) => `${segment};x=1`),
  'a dot segment': (segments, { segment }) => segments.toSpliced(segment % segments.length, 0, '.'),
  'a dot segment back': (segments, { segment }) =>
    segments.toSpliced(segment % segments.length, 0, 'x', '..'),
};
export const RESPELLINGS = Object.keys(RESPELL) as Respelling[];

/** Parameters of a pattern, `:id` or `{id}`, accept every text: their spelling is the caller's. */
const isLiteral = (segment: string): boolean => !/^[:{]/.test(segment);

/** A random other spelling of the literal parts of a pattern such as `/links/:id/products`. */
export function otherSpelling(pattern: string): fc.Arbitrary<string> {
  return fc
    .record({
      how: fc.constantFrom(...RESPELLINGS),
      segment: fc.nat({ max: 100 }),
      letter: fc.nat({ max: 100 }),
    })
    .map(({ how, segment, letter }) => respell(pattern, how, { segment, letter }));
}

export function respell(
  pattern: string,
  how: Respelling,
  choice: Choice = { segment: 0, letter: 0 },
): string {
  const changed = RESPELL[how](pattern.split('/').slice(1), choice);
  return `/${changed.map((segment) => (isLiteral(segment) ? segment : 'sample')).join('/')}`;
}

function changeSegment(
  segments: string[],
  { segment }: Choice,
  change: (segment: string) => string,
): string[] {
  const literals = [...segments.keys()].filter((index) => isLiteral(segments[index] ?? ''));
  const chosen = literals[segment % literals.length] ?? 0;
  return segments.with(chosen, change(segments[chosen] ?? ''));
}

function changeLetter(
  segments: string[],
  choice: Choice,
  change: (letter: string) => string,
): string[] {
  return changeSegment(segments, choice, (segment) => {
    const letters = [...segment.matchAll(/[a-z]/g)].map(({ index }) => index);
    const at = letters[choice.letter % letters.length] ?? 0;
    return segment.slice(0, at) + change(segment[at] ?? '') + segment.slice(at + 1);
  });
}

export interface ExactAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Sends the path unchanged: `fetch` would resolve dot segments. */
export function sendExactly(
  baseUrl: string,
  {
    method = 'GET',
    path,
    headers = {},
    body,
  }: { method?: string; path: string; headers?: Record<string, string>; body?: string },
): Promise<ExactAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
