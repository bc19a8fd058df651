import { InvalidArgumentError } from 'commander';

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A timestamp, or a time before now such as 10m; as a timestamp. */
export function moment(text: string): string {
  const [, amount, unit] = /^(\d{1,6})(s|m|h|d)$/.exec(text) ?? [];
  if (amount !== undefined)
    return new Date(Date.now() - Number(amount) * UNITS[unit as keyof typeof UNITS]).toISOString();
  const time = new Date(
    /[Zz]|[+-]\d{2}:\d{2}$/.test(text) || !text.includes('T') ? text : `${text}Z`,
  );
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError(
      'Must be a duration such as 10m, or a timestamp such as 2026-03-02T10:15:00Z.',
    );
  return time.toISOString();
}

/** Several values, separated by commas or by repeating the option. */
export function several(text: string, earlier: readonly string[] = []): string[] {
  const values = text.split(',').map((value) => value.trim());
  if (values.some((value) => value === ''))
    throw new InvalidArgumentError('Must be names, separated by commas.');
  return [...earlier, ...values];
}

/** An http address; `localhost:3000/hook` is short for `http://localhost:3000/hook`. */
export function httpAddress(text: string): URL {
  const written = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = parsed(written);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    throw new InvalidArgumentError('Must be an address such as localhost:3000/hook.');
  if (url.username !== '' || url.password !== '')
    throw new InvalidArgumentError('Must not contain a user name or password.');
  return url;
}

function parsed(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}
