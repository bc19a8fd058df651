import {
  decodeTimelinePosition,
  encodeTimelinePosition,
  NEWEST,
} from '../../../prisma/links/timeline/timeline-position.js';

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('A position in a timeline', () => {
  it.each([
    NEWEST,
    {
      operator: 12n,
      route: 0n,
      unrevoked: 3n,
      event: 2n ** 62n,
      session: { at: new Date('2026-03-02T10:15:30.120Z'), sessionId: 'ses_7hGqKcPcD2mXw9' },
      moment: { at: new Date('2026-03-02T10:15:30.121Z'), order: 4 },
    },
  ])('survives as text: %#', (position) => {
    expect(decodeTimelinePosition(encodeTimelinePosition(position))).toEqual(position);
  });

  it.each([
    ['other text', 'abc'],
    ['nothing', ''],
    ['an object', encoded({})],
    ['too few places', encoded(['1', '1', '1', '1', 1, ''])],
    ['a key that is not one', encoded(['x', '1', '1', '1', 1, '', 1, 0])],
    ['a key beyond all', encoded(['9999999999999999999', '1', '1', '1', 1, '', 1, 0])],
    ['a time that is not one', encoded(['1', '1', '1', '1', 1e18, '', 1, 0])],
    ['an id with other characters', encoded(['1', '1', '1', '1', 1, "ses_' OR", 1, 0])],
    ['an order that is not one', encoded(['1', '1', '1', '1', 1, '', 1, 'a'])],
  ])('is refused if it is %s', (_, text) => {
    expect(decodeTimelinePosition(text)).toBeNull();
  });
});
