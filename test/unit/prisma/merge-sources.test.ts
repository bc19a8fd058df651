import fc from 'fast-check';
import { mergeSources, type Source } from '../../../prisma/links/timeline/merge-sources.js';
import { TIMELINE_KINDS, type TimelineKind } from '../../../prisma/links/timeline/timeline-row.js';

interface Stored {
  key: number;
  at: Date;
  isShown: boolean;
}
type Tables = Record<string, Stored[]>;
type Positions = Record<string, number>;

const NAMES = ['one', 'two', 'three'] as const;
const KINDS: Record<(typeof NAMES)[number], TimelineKind> = {
  one: 'operator',
  two: 'session',
  three: 'event',
};
const START: Positions = { one: Infinity, two: Infinity, three: Infinity };

/** As a statement reads it: the newest rows below a key, up to a limit. */
function readTable(rows: readonly Stored[], before: number, limit: number) {
  return rows
    .filter(({ key }) => key < before)
    .sort((one, other) => other.key - one.key)
    .slice(0, limit);
}

function page(tables: Tables, start: Positions, sizes: { page: number; read: number }) {
  const sources = Object.fromEntries(
    NAMES.map((name): [string, Source<string, number>] => {
      const rows = readTable(tables[name] ?? [], start[name] ?? 0, sizes.read);
      return [
        name,
        {
          rows: rows.map(({ key, at, isShown }) => ({
            kind: KINDS[name],
            at,
            key: BigInt(key),
            shown: isShown ? `${name}/${key}` : null,
            position: key,
          })),
          isCut: rows.length === sizes.read,
          top: (rows[0]?.key ?? -1) + 1,
        },
      ];
    }),
  );
  return mergeSources<string, Positions>(sources, start, sizes.page);
}

/** Rows whose times never fall as their keys rise, many of them at one time. */
const table = fc
  .array(fc.record({ gap: fc.nat({ max: 1 }), isShown: fc.boolean() }), { maxLength: 20 })
  .map((rows) => {
    let time = 0;
    return rows.map(({ gap, isShown }, key) => ({ key, isShown, at: new Date((time += gap)) }));
  });
const tables = fc.record({ one: table, two: table, three: table });
const sizes = fc.record({
  page: fc.integer({ min: 1, max: 8 }),
  read: fc.integer({ min: 2, max: 9 }),
});

describe('A page of a timeline', () => {
  it('follows the earlier ones without losing or repeating a row, in one order, also at equal times', () => {
    fc.assert(
      fc.property(tables, sizes, (stored, size) => {
        const found: string[] = [];
        let position: Positions | null = START;
        for (let pages = 0; position !== null; pages += 1) {
          expect(pages).toBeLessThan(200);
          const read: ReturnType<typeof page> = page(stored, position, size);
          expect(read.rows.length).toBeLessThanOrEqual(size.page);
          found.push(...read.rows);
          position = read.next;
        }
        const all = NAMES.flatMap((name) =>
          (stored[name] ?? [])
            .filter(({ isShown }) => isShown)
            .map(({ key, at }) => ({ name, key, at: at.getTime() })),
        ).sort(
          (one, other) =>
            other.at - one.at ||
            TIMELINE_KINDS.indexOf(KINDS[other.name]) - TIMELINE_KINDS.indexOf(KINDS[one.name]) ||
            other.key - one.key,
        );
        expect(found).toEqual(all.map(({ name, key }) => `${name}/${key}`));
      }),
    );
  });

  it('has no row that was stored after the first page was read', () => {
    fc.assert(
      fc.property(tables, sizes, (stored, size) => {
        let read = page(stored, START, size);
        const late = Object.fromEntries(
          NAMES.map((name) => [
            name,
            [...(stored[name] ?? []), { key: 100, at: new Date(1_000), isShown: true }],
          ]),
        );
        while (read.next !== null) {
          read = page(late, read.next, size);
          for (const row of read.rows) expect(row).not.toMatch(/100$/);
        }
      }),
    );
  });

  it('ends at once without a row', () => {
    expect(page({ one: [], two: [], three: [] }, START, { page: 5, read: 6 })).toEqual({
      rows: [],
      next: null,
    });
  });
});
