import fc from 'fast-check';
import { exactMembers } from '../../../../domain/exports/exact-members.js';

describe('The members of public JSON', () => {
  it('are found by their paths, with every digit of a number', () => {
    const json =
      '{"id":"a","owed":-12345678901234567.890,"open":true,"date":null,' +
      '"next":{"amount":0.10,"on":"2026-03-01"},"rates":[{"kind":"cash"},{"kind":"penalty"}],"lots":[]}';
    expect(Object.fromEntries(exactMembers(json))).toEqual({
      id: { text: 'a' },
      owed: { number: '-12345678901234567.890' },
      open: { number: 'true' },
      date: null,
      'next.amount': { number: '0.10' },
      'next.on': { text: '2026-03-01' },
      'rates.0.kind': { text: 'cash' },
      'rates.1.kind': { text: 'penalty' },
    });
  });

  it('are the same texts and numbers that any reader of the JSON finds', () => {
    const value = fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), (members) => {
        const read = exactMembers(JSON.stringify(members));
        const plain = [...read].map(([name, member]) => [
          name,
          member === null ? null : 'text' in member ? member.text : Number(member.number),
        ]);
        expect(Object.fromEntries(plain)).toEqual(JSON.parse(JSON.stringify(members)));
      }),
    );
  });
});
