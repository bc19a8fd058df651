import { expect, it } from 'vitest';
import { RefusingEndpoints } from '../../../apps/worker/src/webhooks/refusing-endpoints.js';

it('an endpoint refuses from a failed attempt to an accepted one', () => {
  const refusing = new RefusingEndpoints();
  refusing.note('https://a.example:443', false);
  refusing.note('https://b.example:443', false);
  refusing.note('https://c.example:443', true);
  refusing.note('https://a.example:443', true);
  expect(refusing.all).toEqual(['https://b.example:443']);
});

it('of more than 1,000 those are forgotten that refused longest ago', () => {
  const refusing = new RefusingEndpoints();
  for (let number = 0; number < 1_001; number += 1) {
    refusing.note(`https://app${number}.example:443`, false);
    refusing.note('https://app0.example:443', false);
  }
  expect(refusing.all).toHaveLength(1_000);
  expect(refusing.all).not.toContain('https://app1.example:443');
  expect(refusing.all).toContain('https://app0.example:443');
});
