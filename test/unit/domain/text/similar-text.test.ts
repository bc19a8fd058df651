import fc from 'fast-check';
import { createTextSimilarity } from '../../../../domain/text/similar-text.js';

const textSimilarity = createTextSimilarity();

describe('The similarity of texts', () => {
  it.each<[(string | null)[], (string | null)[], number | null]>([
    [['Corner Cafe'], ['CORNER CAFE #4711 MILLBROOK OH'], 1],
    [['Corner Cafe'], ['Corner Grill'], 0.5],
    [['Corner Cafe'], ['Fuel'], 0],
    [['Café Zürich'], ['CAFE ZURICH'], 1],
    [[null, 'POS 0210'], ['0210 POS'], 1],
    [['Corner Cafe', 'Fuel'], [null, 'FUEL 12'], 1],
    [[null], ['Corner Cafe'], null],
    [['4711'], ['4711'], null],
    [[], [], null],
  ])('of %j and %j is %p', (ours, theirs, expected) => {
    expect(textSimilarity(ours, theirs)).toBe(expected);
  });

  it('is symmetric and lies between 0 and 1', () => {
    const texts = fc.array(fc.option(fc.string()), { maxLength: 3 });
    fc.assert(
      fc.property(texts, texts, (ours, theirs) => {
        const similarity = textSimilarity(ours, theirs);
        expect(similarity).toBe(textSimilarity(theirs, ours));
        if (similarity !== null) expect(similarity >= 0 && similarity <= 1).toBe(true);
      }),
    );
  });
});
