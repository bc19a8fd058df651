import { distinctTags, isTag } from '../../../../domain/link/tags.js';

describe('Tags (link-lifecycle 2.1)', () => {
  it.each(['tier:gold', 'é', '9', 'x'.repeat(99)])('accept "%s"', (tag) => {
    expect(isTag(tag)).toBe(true);
  });

  it.each(['x'.repeat(100), '', ':x', ' x'])('reject "%s"', (tag) => {
    expect(isTag(tag)).toBe(false);
  });

  it('keep the first of each duplicate', () => {
    expect(distinctTags(['b', 'a', 'b'])).toEqual(['b', 'a']);
  });
});
