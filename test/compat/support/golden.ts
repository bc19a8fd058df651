import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../golden/', import.meta.url));

/** plaid-compat 1.1: these are omitted when they have no value. */
const NEVER_NULL: ReadonlySet<string> = new Set([
  'persistent_account_id',
  'verification_name',
  'verification_insights',
  'hosted_link_url',
  'counterparties',
  'transaction_type',
  'personal_finance_category_icon_url',
  'products',
  'consented_products',
  'created_at',
  'consented_use_cases',
  'consented_data_scopes',
  'dtc_numbers',
  'request_id',
  'causes',
  'documentation_url',
]);

/** `/item/get`, `broken` → `item.get.broken` */
export function goldenName(path: string, variant = ''): string {
  return [...path.slice(1).split('/'), ...(variant === '' ? [] : [variant])].join('.');
}

/** The folder of each subject. */
const SUBJECTS: Readonly<Record<string, string>> = {
  auth: 'accounts',
  identity: 'accounts',
  item: 'items',
  link: 'link-tokens',
};

export function goldenFile(name: string): string {
  const [first = ''] = name.split('.');
  return `${FOLDER}${SUBJECTS[first] ?? first}/${name}.json`;
}

/**
 * Compares a response with its golden file, key by key: missing, additional and different values
 * fail. Ids, tokens and times are compared by their form. RECORD_GOLDEN=1 writes the file instead.
 */
export function expectGolden(path: string, response: unknown, variant = ''): void {
  const shown = withoutChance(response, '');
  const file = goldenFile(goldenName(path, variant));
  if (process.env['RECORD_GOLDEN'] === '1')
    writeFileSync(file, `${JSON.stringify(shown, null, 2)}\n`);
  expect(existsSync(file)).toBe(true);
  expect(shown).toEqual(JSON.parse(readFileSync(file, 'utf8')));
}

const FORMS: readonly [RegExp, string][] = [
  [/\b(mk|acc|txn|ses|str|itx|sct)_[2-9A-HJ-NP-Za-km-z]{22}/g, '<$1>'],
  [/\b(link|public|access)-sandbox-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<$1-token>'],
  [/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z/g, '<date-time>'],
];

function withoutChance(value: unknown, key: string): unknown {
  if (value === null && NEVER_NULL.has(key))
    throw new Error(`${key} is null; it must be omitted when it has no value`);
  if (Array.isArray(value)) return value.map((entry) => withoutChance(entry, key));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, withoutChance(inner, name)]),
    );
  if (typeof value !== 'string') return value;
  if (key === 'request_id' && /^[A-Za-z0-9]{15}$/.test(value)) return '<request-id>';
  if (key === 'next_cursor' && /^[A-Za-z0-9+/=_-]{20,256}$/.test(value)) return '<cursor>';
  return FORMS.reduce((text, [form, name]) => text.replaceAll(form, name), value);
}
