import { ConnectionNames } from '../../../../domain/simplefin/connection-names.js';

const namesOf = (banks: readonly string[]) => {
  const names = new ConnectionNames();
  return banks.map((bank) => names.next(bank));
};

describe('The connections of a user', () => {
  it('are named after their banks, with a number from the second one of a name on', () => {
    expect(namesOf(['Alder', 'Birch', 'Alder', 'Alder', 'Birch'])).toEqual([
      'Alder',
      'Birch',
      'Alder (2)',
      'Alder (3)',
      'Birch (2)',
    ]);
  });

  it('have different names even where the name of a bank looks like a numbered one', () => {
    const names = namesOf(['Alder (2)', 'Alder', 'Alder', 'Alder (2)', 'Alder (3)', 'Alder']);
    expect(new Set(names).size).toBe(names.length);
  });
});
