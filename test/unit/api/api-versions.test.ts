import {
  ALL_COUNTRIES,
  WHOLE_LINKS,
  API_VERSIONS,
  changesSince,
  undoAll,
  versionOf,
  type ApiVersion,
} from '../../../apps/api/src/http/api-versions.js';
import { CONTROLLERS } from '../../../apps/api/src/server/api.module.js';
import { routesOf } from '../../../apps/api/src/http/routes-of.js';

const renamed = (from: string, to: string) => (answer: unknown) => {
  const { [to]: value, ...rest } = answer as Record<string, unknown>;
  return { ...rest, [from]: value };
};
/** The registry after two more versions. */
const LATER: ApiVersion[] = [
  ...API_VERSIONS,
  {
    date: '2027-01-01',
    changes: [
      { summary: 'first is second', calls: ['GET /links/:id'], undo: renamed('first', 'second') },
    ],
  },
  {
    date: '2028-01-01',
    changes: [
      {
        summary: 'second is third',
        calls: ['GET /links/:id', 'GET /links'],
        undo: renamed('second', 'third'),
      },
    ],
  },
];
const shown = (version: string, call: string) =>
  undoAll(changesSince(version, call, LATER), { third: 1 });

describe('API versions', () => {
  it('are in order and name calls that exist', () => {
    const dates = API_VERSIONS.map(({ date }) => date);
    expect(dates).toEqual([...new Set(dates)].sort());
    for (const date of dates) expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    const calls = new Set(
      CONTROLLERS.flatMap(routesOf).map(({ method, path }) => `${method} ${path}`),
    );
    for (const call of API_VERSIONS.flatMap(({ changes }) =>
      changes.flatMap((change) => change.calls),
    ))
      expect(calls).toContain(call);
  });

  it('are three today', () =>
    expect(API_VERSIONS).toEqual([
      { date: '2023-02-18', changes: [] },
      { date: '2026-11-25', changes: [ALL_COUNTRIES] },
      { date: '2026-11-27', changes: [WHOLE_LINKS] },
    ]));

  it('leave a response unchanged if the call makes the change itself', () =>
    expect(undoAll([ALL_COUNTRIES], { institutions: [] })).toEqual({ institutions: [] }));

  it('default to 2026-11-27 for a request without the header, whatever comes later', () =>
    expect(versionOf(undefined, LATER)).toBe('2026-11-27'));

  it('undo the changes made since, newest first, for the calls they affect', () => {
    expect(shown('2028-01-01', 'GET /links/:id')).toEqual({ third: 1 });
    expect(shown('2027-01-01', 'GET /links/:id')).toEqual({ second: 1 });
    expect(shown('2023-02-18', 'GET /links/:id')).toEqual({ first: 1 });
    expect(shown('2023-02-18', 'GET /links')).toEqual({ second: 1 });
    expect(shown('2023-02-18', 'GET /institutions')).toEqual({ third: 1 });
  });
});
