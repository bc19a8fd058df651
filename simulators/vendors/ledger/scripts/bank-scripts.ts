import { z } from 'zod';
import { VENDOR_NAMES } from '../../vendors.js';
import { amountParam, script, type Script } from './script.js';

const bankParams = z.strictObject({ bank: z.string() });
const accountParams = z.strictObject({ account: z.string() });
const consentParams = z.strictObject({ vendor: z.enum(VENDOR_NAMES), customer: z.string() });

const setBankDown = (isDown: boolean): Script =>
  script(bankParams, (ledger, { bank }) => {
    ledger.bank(bank).isDown = isDown;
    return { bank, isDown };
  });

const setAccountDown = (isDown: boolean): Script =>
  script(accountParams, (ledger, { account }) => {
    ledger.account(account).isDown = isDown;
    return { account, isDown };
  });

/** Every quota of a customer at a vendor is used up for some time. */
const quotaHit = script(
  consentParams.extend({ seconds: z.int().positive().default(86_400) }),
  (ledger, { vendor, customer, seconds }) => {
    const until = new Date(ledger.now().getTime() + seconds * 1_000);
    ledger.exhaustQuota(vendor, ledger.customer(customer).id, until);
    return { until: until.toISOString() };
  },
);

/** Ends every consent that a customer gave at a vendor so far. */
const endConsent = script(consentParams, (ledger, { vendor, customer }) => {
  ledger.endConsents(vendor, ledger.customer(customer).id);
  return { vendor, customer };
});

/** Sets balances without a row that explains them; the next change of a row computes them again. */
const changeBalance = script(
  accountParams.extend({ current: amountParam, available: amountParam.nullable().optional() }),
  (ledger, { account: accountId, current, available }) => {
    const account = ledger.account(accountId);
    account.balances = {
      ...account.balances,
      current,
      available: available === undefined ? account.balances.available : available,
    };
    return { balances: account.balances };
  },
);

export const BANK_SCRIPTS = {
  bank_down: setBankDown(true),
  bank_up: setBankDown(false),
  account_down: setAccountDown(true),
  account_up: setAccountDown(false),
  quota_hit: quotaHit,
  end_consent: endConsent,
  change_balance: changeBalance,
} satisfies Record<string, Script>;
