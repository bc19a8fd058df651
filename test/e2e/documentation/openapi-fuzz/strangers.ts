import fc from 'fast-check';
import type { Caller, Stage } from './stages.js';

/** Callers without valid credentials. */
export function strangers({ callers: [first], pair }: Stage): fc.Arbitrary<Caller> {
  const token = first?.authorization?.split(' ')[1] ?? 'none';
  const basic = Buffer.from(`${pair.client_id}:${pair.client_secret}`).toString('base64');
  const spelled = fc.constantFrom(
    null,
    '',
    'Bearer',
    'Bearer ',
    'Bearer unknown',
    `Basic ${basic}`,
    `Basic ${token}`,
    'Basic !',
    `Token ${token}`,
    token,
    `Bearer ${token} ${token}`,
    `Bearer ${token}, Bearer ${token}`,
    `Bearer ${'a'.repeat(4_000)}`,
    'Bearer \u00e9\u00ff',
    'Bearer %00',
  );
  return spelled.map((authorization) => ({ name: 'a stranger', tenant: null, authorization }));
}
