import fc from 'fast-check';
import { ACCOUNT_TYPES } from '../../../../domain/accounts/account-types.js';
import { settleType, type TypeEvidence } from '../../../../domain/accounts/settle-type.js';

describe('The type of an account', () => {
  it.each([
    ['stated', { stated: 'depository.savings' }, 'liability.loan', 'depository.savings'],
    [
      'stated, beside a guess',
      { stated: 'other.other', guessed: 'liability.loan' },
      null,
      'other.other',
    ],
    [
      'known, beside a guess',
      { guessed: 'depository.savings' },
      'liability.loan',
      'liability.loan',
    ],
    ['known, beside nothing', {}, 'liability.loan', 'liability.loan'],
    [
      'known, beside its group',
      { group: 'liability.loan' },
      'liability.mortgage',
      'liability.mortgage',
    ],
    [
      'known, beside a group that says nothing',
      { group: 'other.other' },
      'depository.cd',
      'depository.cd',
    ],
    [
      'of another group than the known one',
      { group: 'liability.loan' },
      'depository.cd',
      'liability.loan',
    ],
    ['stated as unknown and known', { stated: 'unknown' }, 'depository.cd', 'depository.cd'],
    [
      'stated as unknown and guessed',
      { stated: 'unknown', guessed: 'depository.cd' },
      null,
      'unknown',
    ],
    ['known as unknown, and guessed', { guessed: 'depository.cd' }, 'unknown', 'depository.cd'],
    ['nowhere', {}, null, 'unknown'],
  ] as const)('that is %s is settled', (_where, evidence, known, expected) => {
    expect(settleType(evidence, known)).toBe(expected);
  });

  it('never becomes another one in a sequence of responses that state none', () => {
    const type = fc.constantFrom(...ACCOUNT_TYPES);
    const guesses = fc.array(fc.record({ guessed: fc.option(type) }) as fc.Arbitrary<TypeEvidence>);
    fc.assert(
      fc.property(type, guesses, (first, responses) => {
        let known = settleType({ stated: first }, null);
        for (const evidence of responses) known = settleType(evidence, known);
        return first === 'unknown' || known === first;
      }),
    );
  });
});
