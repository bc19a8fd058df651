import { dateOfDay, dayNumber } from '../../../../domain/recurring/calendar-days.js';
import { findStreams } from '../../../../domain/recurring/find-streams.js';
import { keepStreamIds } from '../../../../domain/recurring/keep-stream-ids.js';
import type { RecurringRow } from '../../../../domain/recurring/recurring-row.js';
import { seededChance } from './support/seeded-chance.js';
import { createWorld, TODAY } from './support/worlds.js';

const SEEDS = [2001, 2002, 2003];

describe.each(SEEDS)('Streams of the world of seed %i', (seed) => {
  const { rows } = createWorld(seed);

  it('are the same in whatever order the rows come', () => {
    const chance = seededChance(seed);
    const shuffled = rows
      .map((row) => ({ row, at: chance.next() }))
      .sort((one, other) => one.at - other.at)
      .map(({ row }) => row);
    expect(findStreams(shuffled, TODAY)).toEqual(findStreams(rows, TODAY));
  });

  it('share no row', () => {
    const ids = findStreams(rows, TODAY).flatMap(({ transactionIds }) => transactionIds);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('have the same rows and intervals when all days move by 400 years', () => {
    const later = (date: string) => `${Number(date.slice(0, 4)) + 400}${date.slice(4)}`;
    const moved = rows.map((row) => ({ ...row, date: later(row.date) }));
    expect(findStreams(moved, later(TODAY)).map(withoutDates)).toEqual(
      findStreams(rows, TODAY).map(withoutDates),
    );
  });

  it('counted in weeks move by a week when all days do, and change in nothing else', () => {
    const byWeeks = (found: ReturnType<typeof findStreams>) =>
      found.filter(({ interval }) => /week/.test(interval)).map(withoutDates);
    const moved = rows.map((row) => ({ ...row, date: weekLater(row.date) }));
    const before = byWeeks(findStreams(rows, TODAY));
    expect(byWeeks(findStreams(moved, weekLater(TODAY)))).toEqual(before);
  });

  it('keep their ids when later rows come, unless they are new', () => {
    const early = dateOfDay(dayNumber(TODAY) - 40);
    const before = findStreams(
      rows.filter(({ date }) => date <= early),
      early,
    ).map((stream, index) => ({ ...stream, streamId: `str_${index}` }));
    const after = findStreams(rows, TODAY);
    const ids = keepStreamIds(before, after);
    const kept = ids.filter((id) => id !== null);
    expect(new Set(kept).size).toBe(kept.length);
    for (const known of before.filter(({ status }) => status === 'mature')) {
      const at = ids.indexOf(known.streamId);
      const first = known.transactionIds.at(-1) ?? '';
      expect(after[at]?.transactionIds).toContain(first);
    }
  });
});

it('keeps the id of the known stream with most rows in common, for one stream alone', () => {
  const known = [
    { streamId: 'str_a', transactionIds: ['1', '2', '3'] },
    { streamId: 'str_b', transactionIds: ['4'] },
  ];
  const found = [
    { transactionIds: ['1'] },
    { transactionIds: ['2', '3', '4', '5'] },
    { transactionIds: ['6'] },
  ];
  expect(keepStreamIds(known, found)).toEqual([null, 'str_a', null]);
});

function withoutDates({
  firstDate,
  lastDate,
  next,
  amounts: { changedOn, ...amounts },
  ...stream
}: ReturnType<typeof findStreams>[number]) {
  const hasDates = [firstDate, lastDate, changedOn, next?.expected].map(Boolean);
  return { ...stream, amounts, hasDates };
}

function weekLater(date: RecurringRow['date']): string {
  return dateOfDay(dayNumber(date) + 7);
}
