import { readFileSync } from 'node:fs';
import { API_ERRORS } from '../../../domain/errors/api-errors.js';

it('docs/errors.md names every error with its status', () => {
  const document = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
  const rows = [...document.matchAll(/^\| (\d{3}) \| `([a-z_.]+)` \|/gm)].map(
    ([, status, code]) => `${code} ${status}`,
  );
  expect(rows.sort()).toEqual(
    Object.entries(API_ERRORS)
      .map(([code, { status }]) => `${code} ${status}`)
      .sort(),
  );
});
