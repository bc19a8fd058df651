import { transactionWindow } from '../../../../domain/refresh/fetch-window.js';
import { announcesUpdates } from '../../../../domain/transactions/updates-available.js';

describe('The window of a transactions fetch', () => {
  // link-lifecycle 2.3: today and the 89 days before it, UTC
  it('is 90 days', () => {
    expect(transactionWindow(false, new Date('2026-03-31T23:59:59.999Z'))).toEqual({
      from: '2026-01-01',
      to: '2026-03-31',
    });
  });

  it('is the whole history of 730 days with extend_history', () => {
    expect(transactionWindow(true, new Date('2026-03-02T00:00:00Z'))).toEqual({
      from: '2024-03-03',
      to: '2026-03-02',
    });
  });
});

describe('The announcement of updates by a run', () => {
  it.each([
    { causes: ['scheduled'], first: false, rowsChanged: false, announced: false },
    { causes: [], first: false, rowsChanged: false, announced: false },
    { causes: ['scheduled'], first: false, rowsChanged: true, announced: true },
    { causes: ['scheduled'], first: true, rowsChanged: false, announced: true },
    { causes: ['scheduled', 'on_demand'], first: false, rowsChanged: false, announced: true },
    { causes: ['prefetch'], first: false, rowsChanged: false, announced: true },
    { causes: ['relink'], first: false, rowsChanged: false, announced: true },
  ])(
    'depends on $causes, first: $first, rows changed: $rowsChanged → $announced',
    ({ announced, ...aggregation }) => {
      expect(announcesUpdates(aggregation)).toBe(announced);
    },
  );
});
