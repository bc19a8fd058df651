import { entityTag, holdsTag } from '../../../apps/api/src/http/entity-tag.js';

describe('An entity tag', () => {
  it('differs when any part differs, and does not confuse adjacent parts', () => {
    const tags = [
      entityTag([1n, 'a', 2]),
      entityTag([1n, 'a', 3]),
      entityTag([1n, 'b', 2]),
      entityTag([11n, '', 2]),
      entityTag([1n, '1', 2]),
    ];
    expect(new Set(tags).size).toBe(tags.length);
    expect(entityTag([1n, 'a', 2])).toBe(tags[0]);
    expect(tags[0]).toMatch(/^"[\w-]{43}"$/);
  });

  it.each([
    [undefined, false],
    ['', false],
    ['"other"', false],
    ['"mine"', true],
    ['W/"mine"', true],
    ['"other", "mine"', true],
    ['*', true],
    ['mine', false],
  ])('is matched by If-None-Match %j: %s', (header, held) =>
    expect(holdsTag(header, '"mine"')).toBe(held),
  );
});
