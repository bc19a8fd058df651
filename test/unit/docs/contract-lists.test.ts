import { readFileSync } from 'node:fs';
import { ACCOUNT_TYPES } from '../../../domain/accounts/account-types.js';
import { COUNTRIES } from '../../../domain/institutions/countries.js';
import { LINK_ERRORS, LINK_STATES } from '../../../domain/link/link-state.js';
import { PRODUCT_ERRORS, PRODUCT_STATES } from '../../../domain/link/product-state.js';
import { PRODUCTS } from '../../../domain/link/products.js';
import { CALL_LIMITS } from '../../../domain/plaid/call-limits.js';
import { TRANSACTION_CATEGORIES } from '../../../domain/transactions/transaction-categories.js';

const contract = readFileSync(
  new URL('../../../docs/contract/native-api.md', import.meta.url),
  'utf8',
);
const section = (heading: string) => contract.split(`### ${heading}`)[1]?.split(/^##/m)[0] ?? '';
const cells = (text: string) =>
  [...text.matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)]
    .map(([, name = '', values = '']) => [name, values] as const)
    .filter(([name]) => !/^(-+|Enum|Group)/.test(name));

// native-api 4.10
describe('The enums of the domain', () => {
  const enums = new Map(cells(section('4.10 Enums')));
  const valuesOf = (name: string) =>
    (enums.get(name) ?? '')
      .replaceAll(/\([^)]*\)/g, '')
      .split(',')
      .map((value) => value.trim());

  it.each<[string, readonly string[]]>([
    ['LinkState', LINK_STATES],
    ['LinkError', LINK_ERRORS],
    ['Product', PRODUCTS],
    ['LinkProductState', PRODUCT_STATES],
    ['LinkProductError', PRODUCT_ERRORS],
    ['Country', COUNTRIES],
  ])('%s equal those of the contract', (name, values) => {
    expect([...values].sort()).toEqual(valuesOf(name).sort());
  });

  it('account types equal those of the contract', () => {
    const groups = (enums.get('Account type') ?? '')
      .replace(/\(always.*/, '')
      .replaceAll('`', '')
      .split(';')
      .map((group) => group.trim());
    const types = groups.flatMap((group) => {
      const [, prefix, rest] = /^(depository|investment|liability)\. (.*)$/.exec(group) ?? [];
      return prefix === undefined
        ? [group]
        : (rest ?? '').split(',').map((name) => `${prefix}.${name.trim()}`);
    });
    expect([...ACCOUNT_TYPES].sort()).toEqual(types.sort());
  });
});

// native-api 4.11
it('The categories of the domain equal those of the contract', () => {
  const groups = cells(section('4.11 Transaction categories')).map(
    ([group, values]) =>
      [
        group,
        values.startsWith('(') ? [] : values.split(',').map((value) => value.trim()),
      ] as const,
  );
  expect(TRANSACTION_CATEGORIES).toEqual(Object.fromEntries(groups));
});

// plaid-compat 4.1: "15: `/accounts/get` `ACCOUNTS_LIMIT`, …"
describe('The limits of the compatibility layer', () => {
  it('equal those of the contract', () => {
    const text = readFileSync(
      new URL('../../../docs/contract/plaid-compat.md', import.meta.url),
      'utf8',
    );
    const limits: Record<string, number> = {};
    for (const [line] of text.matchAll(/^- \d+(?:: | per client: ).+/gm)) {
      let calls = 0;
      for (const [, number, code] of line.matchAll(/(?:^- |\. )(\d+)|[`:] `(\w+_LIMIT)`/g))
        if (code === undefined) calls = Number(number);
        else limits[code] = calls;
    }
    expect(CALL_LIMITS).toEqual(limits);
  });
});
