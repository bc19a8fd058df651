import { expect, it } from 'vitest';
import {
  RefusingEndpoints,
  type EndpointNews,
} from '../../../apps/webhooks/src/refusing-endpoints.js';

it('an endpoint refuses from a failed attempt to an accepted one', () => {
  const refusing = new RefusingEndpoints();
  refusing.note({ endpoint: 'https://a.example:443', accepted: false });
  refusing.note({ endpoint: 'https://b.example:443', accepted: false });
  refusing.note({ endpoint: 'https://c.example:443', accepted: true });
  refusing.note({ endpoint: 'https://a.example:443', accepted: true });
  expect(refusing.all).toEqual(['https://b.example:443']);
});

it('of more than 1,000 those are forgotten that refused longest ago', () => {
  const refusing = new RefusingEndpoints();
  for (let number = 0; number < 1_001; number += 1) {
    refusing.note({ endpoint: `https://app${number}.example:443`, accepted: false });
    refusing.note({ endpoint: 'https://app0.example:443', accepted: false });
  }
  expect(refusing.all).toHaveLength(1_000);
  expect(refusing.all).not.toContain('https://app1.example:443');
  expect(refusing.all).toContain('https://app0.example:443');
});

it('each refusal is told, and that one accepts again', () => {
  const told: EndpointNews[] = [];
  const refusing = new RefusingEndpoints((news) => told.push(news));
  const answers = [true, false, false, true, true].map((accepted) => ({
    endpoint: 'https://a.example:443',
    accepted,
  }));
  answers.forEach((news) => refusing.note(news));
  expect(told).toEqual(answers.slice(1, 4));
});
