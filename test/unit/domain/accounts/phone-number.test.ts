import { internationalPhoneNumber } from '../../../../domain/accounts/phone-number.js';

describe('A phone number', () => {
  it.each([
    ['+16145550142', 'US', '+16145550142'],
    ['+1 (614) 555-0142', 'GB', '+16145550142'],
    ['614-555-0142', 'US', '+16145550142'],
    ['1 614 555 0142', 'CA', '+16145550142'],
    ['0044 20 7946 0018', 'US', '+442079460018'],
    ['020 7946 0018', 'GB', '+442079460018'],
    ['555-0142', 'US', '555-0142'],
    ['614-555-0142 x12', 'US', '614-555-0142 x12'],
    ['+0123456789', 'US', '+0123456789'],
    ['n/a', 'CA', 'n/a'],
  ] as const)('%s in %s is normalized to %s', (text, country, international) => {
    expect(internationalPhoneNumber(text, country)).toBe(international);
  });
});
