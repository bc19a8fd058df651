import { existsSync, readdirSync, readFileSync } from 'node:fs';
import {
  API_VERSIONS,
  DEFAULT_VERSION,
  type ApiVersion,
} from '../../../apps/api/src/http/api-versions.js';
import {
  breakingChanges,
  type BreakingChange,
  type ComparedDocument,
} from './support/breaking-changes.js';

const DOCS = new URL('../../../docs/', import.meta.url);
const RELEASED = new URL('released/', DOCS);

type Document = ComparedDocument & { info: { version: string } };
const read = (name: string, folder = DOCS): Document =>
  JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Document;

/** The documents of releases, oldest first. */
function released(): string[] {
  const names = existsSync(RELEASED) ? readdirSync(RELEASED) : [];
  const numbers = new Intl.Collator('en', { numeric: true });
  return names.filter((name) => /^openapi-.+\.json$/.test(name)).sort(numbers.compare);
}

/** Without the changes of calls that a version after the release names. */
function withoutVersion(
  changes: readonly BreakingChange[],
  date: string,
  versions: readonly ApiVersion[] = API_VERSIONS,
): BreakingChange[] {
  const dated = versions
    .filter((version) => version.date > date)
    .flatMap((version) => version.changes.flatMap(({ calls }) => calls));
  return changes.filter(({ call }) => !dated.includes(call));
}

describe('The OpenAPI document', () => {
  it('is kept of every release in the changelog', () => {
    const changelog = readFileSync(new URL('../CHANGELOG.md', DOCS), 'utf8');
    const releases = [...changelog.matchAll(/^## \[(\d[^\]]*)\]/gm)].map(
      ([, version = '']) => `openapi-${version}.json`,
    );
    expect(releases.filter((name) => !released().includes(name))).toEqual([]);
  });

  it('describes the version of a call without a header: that of the first release, or the newest before any', () => {
    const [first = 'openapi.json'] = released();
    expect(DEFAULT_VERSION).toBe(
      read(first, first === 'openapi.json' ? DOCS : RELEASED).info.version,
    );
  });

  it('has no breaking change since the last release without a dated version', () => {
    const last = released().at(-1);
    if (last === undefined) return;
    const earlier = read(last, RELEASED);
    expect(
      withoutVersion(breakingChanges(earlier, read('openapi.json')), earlier.info.version),
    ).toEqual([]);
  });
});

type Json = Record<string, unknown>;
/** A change of the member at a path: to a value, or its removal. */
type Edit = readonly [path: readonly string[], value?: unknown];

const LINKS = ['paths', '/links', 'get'];
const UPDATE = ['components', 'schemas', 'LinksUpdateRequest'];
const SCHEMAS = ['components', 'schemas'];
const LINK = [...SCHEMAS, 'Link'];

function edited([path, value]: Edit): Document {
  const document = read('openapi.json');
  const holder = path
    .slice(0, -1)
    .reduce((inner, name) => (inner[name] ??= {}) as Json, document as unknown as Json);
  const last = path.at(-1) ?? '';
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return document;
}

const at = (path: readonly string[]): unknown =>
  path.reduce((inner, name) => (inner as Json)[name], read('openapi.json') as unknown);
const listAt = (...path: string[]): unknown[] => at(path) as unknown[];

describe('The comparison with an earlier document', () => {
  it.each<[string, string, Edit]>([
    ['a removed call', 'GET /links: removed', [LINKS]],
    [
      'a removed parameter',
      'GET /links: query tag: removed',
      [
        [...LINKS, 'parameters'],
        (at([...LINKS, 'parameters']) as Json[]).filter(({ name }) => name !== 'tag'),
      ],
    ],
    [
      'a parameter that is required now',
      'GET /links: query app: required now',
      [
        [...LINKS, 'parameters'],
        [
          ...listAt(...LINKS, 'parameters'),
          { name: 'app', in: 'query', required: true, schema: { type: 'string' } },
        ],
      ],
    ],
    [
      'a field of a request that is required now',
      'PATCH /links/:id: body.tags: required now',
      [[...UPDATE, 'required'], ['tags']],
    ],
    [
      'a field of a request that is removed',
      'PATCH /links/:id: body.webhook: removed',
      [[...UPDATE, 'properties', 'webhook']],
    ],
    [
      'a lower limit of a request',
      'PATCH /links/:id: body.tags: maxItems changed',
      [[...UPDATE, 'properties', 'tags', 'maxItems'], 1],
    ],
    [
      'a removed field of a response',
      'GET /links/:id: 200.provider: removed',
      [[...LINK, 'properties', 'provider']],
    ],
    [
      'a field of a response that may be missing',
      'GET /links/:id: 200.provider: may be missing now',
      [[...LINK, 'required'], listAt(...LINK, 'required').filter((name) => name !== 'provider')],
    ],
    [
      'a field of a response that may be null',
      'GET /links/:id: 200.provider: null possible now',
      [
        [...LINK, 'properties', 'provider', 'type'],
        ['string', 'null'],
      ],
    ],
    [
      'another type',
      'GET /links/:id: 200.provider: integer possible now',
      [[...LINK, 'properties', 'provider', 'type'], 'integer'],
    ],
    [
      'a removed value of an enumeration that requests send',
      'GET /webhooks/events: query order: enum changed',
      [[...SCHEMAS, 'SortOrder', 'enum'], ['asc']],
    ],
    [
      'a further value of a closed list in responses',
      'GET /links/:id/transactions: 200.transactions[].type: enum changed',
      [
        [...SCHEMAS, 'TransactionType', 'enum'],
        ['debit', 'credit', 'x'],
      ],
    ],
    [
      'another member of a union in responses',
      'GET /connect/api/session: 200.step|0: another union',
      [
        [...SCHEMAS, 'ConnectStep', 'oneOf'],
        [
          ...listAt(...SCHEMAS, 'ConnectStep', 'oneOf'),
          { $ref: '#/components/schemas/ConnectBackInput' },
        ],
      ],
    ],
    [
      'a further scope',
      'GET /links: security: needs more',
      [[...LINKS, 'security'], [{ accessToken: ['links:read', 'users:read'] }]],
    ],
    ['a removed status of success', 'GET /links: 200: removed', [[...LINKS, 'responses', '200']]],
    ['a removed webhook', 'link.state_changed: removed', [['webhooks', 'link.state_changed']]],
    [
      'a removed field of a webhook',
      'link.state_changed: body.state: removed',
      [[...SCHEMAS, 'LinkStateChanged', 'properties', 'state']],
    ],
  ])('finds %s', (_, problem, edit) => {
    const found = breakingChanges(read('openapi.json'), edited(edit));
    expect(found.map((change) => `${change.call}: ${change.problem}`)).toContain(problem);
  });

  it.each<[string, Edit]>([
    ['a further call', [['paths', '/toys'], { get: { responses: {} } }]],
    [
      'an optional parameter',
      [
        [...LINKS, 'parameters'],
        [
          ...listAt(...LINKS, 'parameters'),
          { name: 'app', in: 'query', required: false, schema: { type: 'string' } },
        ],
      ],
    ],
    ['an optional field of a request', [[...UPDATE, 'properties', 'name'], { type: 'string' }]],
    ['a higher limit of a request', [[...UPDATE, 'properties', 'tags', 'maxItems'], 100_000]],
    ['a further field of a response', [[...LINK, 'properties', 'color'], { type: 'string' }]],
    [
      'a further value of an open list',
      [
        [...SCHEMAS, 'CategorySource', 'x-extensible-enum'],
        [...listAt(...SCHEMAS, 'CategorySource', 'x-extensible-enum'), 'x'],
      ],
    ],
    ['a further error', [[...LINKS, 'responses', '418'], { description: 'A teapot' }]],
    ['another description', [[...LINK, 'description'], 'A link.']],
    ['a further webhook', [['webhooks', 'toy.made'], { post: { responses: {} } }]],
  ])('accepts %s', (_, edit) => {
    expect(breakingChanges(read('openapi.json'), edited(edit))).toEqual([]);
  });

  it('accepts a breaking change of a call that a later version names', () => {
    const change = { summary: 'Links have no provider.', calls: ['GET /links/:id'] };
    const versions = [{ date: '2027-01-01', changes: [change] }];
    const found = [
      { call: 'GET /links/:id', problem: 'x' },
      { call: 'GET /links', problem: 'y' },
    ];
    expect(withoutVersion(found, '2026-11-27', versions)).toEqual(found.slice(1));
    expect(withoutVersion(found, '2027-01-01', versions)).toEqual(found);
  });
});
