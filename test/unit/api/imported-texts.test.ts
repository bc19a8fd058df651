import {
  ImportLinkRequest,
  ImportTransactionsRequest,
} from '../../../apps/api/src/imports/import.requests.js';
import { CreateSimplefinToken } from '../../../apps/api/src/simplefin-tokens/simplefin-tokens.requests.js';

const code = (point: number) => String.fromCodePoint(point);
const ALLOWED = ['\t', '\n', '\r', '\r\n'];
const REFUSED = [...Array(0xa0).keys()]
  .map(code)
  .filter((each) => /\p{Cc}/u.test(each) && !ALLOWED.includes(each));

type Texts = Record<string, (text: string) => unknown>;

/** Every text of a row, by its name. */
const ROW: Texts = {
  transaction_id: (text) => ({ transaction_id: text }),
  description: (text) => ({ description: text }),
  type: (text) => ({ type: text }),
  remittance: (text) => ({ remittance: text }),
  counterparty: (text) => ({ counterparty: { name: text } }),
  mask: (text) => ({ counterparty: { account_mask: text } }),
  iban: (text) => ({ counterparty: { numbers: { iban: text } } }),
  bic: (text) => ({ counterparty: { numbers: { bic: text } } }),
  account_number: (text) => ({ counterparty: { numbers: { account_number: text } } }),
  bank_code: (text) => ({ counterparty: { numbers: { bank_code: text } } }),
  merchant: (text) => ({ merchant: { name: text } }),
  end_to_end: (text) => ({ references: { end_to_end: text } }),
  mandate: (text) => ({ references: { mandate: text } }),
  creditor: (text) => ({ references: { creditor: text } }),
  check_number: (text) => ({ references: { check_number: text } }),
};
const ACCOUNT: Texts = {
  account_id: (text) => ({ account_id: text }),
  name: (text) => ({ name: text }),
  type: (text) => ({ type: text }),
  nickname: (text) => ({ nickname: text }),
  mask: (text) => ({ mask: text }),
};

const row = (over: unknown) => ({
  account_id: 'a',
  amount: '-4.50',
  date: '2026-02-01',
  ...(over as object),
});
const account = (over: unknown) => ({
  account_id: 'a',
  name: 'Savings',
  type: 'savings',
  balances: { currency: 'USD' },
  ...(over as object),
});

const bodies: [string, (text: string) => Promise<{ success: boolean }>][] = [
  ...Object.entries(ROW).map(
    ([name, of]) =>
      [
        `the ${name} of a row`,
        (text: string) =>
          ImportTransactionsRequest.body.safeParseAsync({ transactions: [row(of(text))] }),
      ] as (typeof bodies)[number],
  ),
  ...Object.entries(ACCOUNT).map(
    ([name, of]) =>
      [
        `the ${name} of an account`,
        (text: string) =>
          ImportLinkRequest.body.safeParseAsync({
            customer_user: { id: 'ann' },
            institution_id: 'bank',
            accounts: [account(of(text))],
          }),
      ] as (typeof bodies)[number],
  ),
  ['the name of a SimpleFIN token', (name) => CreateSimplefinToken.body.safeParseAsync({ name })],
];

describe('Control characters', () => {
  it.each(bodies)('are refused in %s, but for tabs and line breaks', async (_name, parse) => {
    const accepts = async (each: string) => (await parse(`x${each}y`)).success;
    for (const each of ['', 'é', ...ALLOWED])
      expect({ each, accepted: await accepts(each) }).toEqual({ each, accepted: true });
    for (const each of REFUSED)
      expect({ each, accepted: await accepts(each) }).toEqual({ each, accepted: false });
  });

  it('are named by their place in the body', async () => {
    const { error } = await ImportTransactionsRequest.body.safeParseAsync({
      transactions: [row({}), row({ counterparty: { name: `Al${code(27)}[2J` } })],
    });
    expect(error?.issues).toMatchObject([
      {
        path: ['transactions', 1, 'counterparty', 'name'],
        message: 'Contains a character that is not allowed.',
      },
    ]);
  });
});
