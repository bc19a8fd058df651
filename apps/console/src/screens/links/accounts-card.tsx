import { useId, useState, type ReactElement } from 'react';
import type {
  Account,
  AccountsListBalancesResult,
  AccountsListResult,
  DayBalances,
} from '../../../../../clients/node/src/generated/types.js';
import { useRead } from '../../data/use-read.js';
import { nativeIn } from '../../frame/address.js';
import { MarkDoneHere } from '../../frame/done-here.js';
import { Icon } from '../../frame/icons.js';
import type { Context } from '../../frame/screen.js';
import { Shown } from '../../frame/states/shown.js';
import { balanceSeries, type BalanceDay } from '../../parts/chart/balance-days.js';
import { StepChart } from '../../parts/chart/step-chart.js';
import { ForeignText } from '../../parts/foreign-text/foreign-text.js';
import { amountDigits, Money } from '../../parts/money/money.js';
import { Card } from '../../parts/page/page-parts.js';
import { useOnChange } from '../../parts/state/use-on-change.js';
import { useNow } from '../../parts/time/use-now.js';
import classes from './links.module.css';
import { TEXTS } from './texts.js';

const DAYS = 90;
const DAY_MS = 86_400_000;

/** Accounts with their masks, and the balances of one that is opened. */
export function AccountsCard({
  context,
  linkId,
  version,
}: {
  context: Context;
  linkId: string;
  /** Changes when the link was refreshed. */
  version: string | null;
}): ReactElement {
  const reading = useRead<AccountsListResult>(
    nativeIn(context, `/links/${encodeURIComponent(linkId)}/accounts`),
  );
  useOnChange(version, reading.again);
  return (
    <Card title={TEXTS.accounts} isFlush>
      <Shown
        of={reading}
        rows={2}
        isEmpty={({ accounts }) => accounts.length === 0}
        empty={<p className={classes.none}>{TEXTS.noAccounts}</p>}
      >
        {({ accounts }) => (
          <ul className={classes.accounts}>
            <MarkDoneHere context={context} step="accounts" />
            {accounts.map((account) => (
              <AccountRow
                key={account.account_id}
                account={account}
                context={context}
                linkId={linkId}
              />
            ))}
          </ul>
        )}
      </Shown>
    </Card>
  );
}

function AccountRow({
  account,
  context,
  linkId,
}: {
  account: Account;
  context: Context;
  linkId: string;
}): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { name, account_mask: mask, balances, closed, missing_since: missingSince } = account;
  const amount: 'current' | 'available' = balances.current === null ? 'available' : 'current';
  return (
    <li>
      <button
        type="button"
        className={classes.account}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'down' : 'right'} size={16} />
        <span className={classes.accountName}>
          <ForeignText text={name} canGrow={false} />
          <span className="muted">
            {mask !== null && <bdi>•••• {mask} · </bdi>}
            {account.account_type.split('.').at(-1)?.replaceAll('_', ' ')}
            {closed && `, ${TEXTS.closed}`}
            {missingSince !== null && `, ${TEXTS.missing}`}
          </span>
        </span>
        <span className={classes.accountBalance}>
          <Money digits={amountDigits(balances, amount)} currency={balances.currency} />
        </span>
      </button>
      <div id={id} className={classes.balances} hidden={!isOpen}>
        {isOpen && (
          <AccountBalances context={context} linkId={linkId} accountId={account.account_id} />
        )}
      </div>
    </li>
  );
}

/** Read for the opened account alone. */
function AccountBalances({
  context,
  linkId,
  accountId,
}: {
  context: Context;
  linkId: string;
  accountId: string;
}): ReactElement {
  const now = useNow();
  const to = now.toISOString().slice(0, 10);
  const from = new Date(now.getTime() - (DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const path = `/links/${encodeURIComponent(linkId)}/accounts/${encodeURIComponent(accountId)}/balances?from=${from}&to=${to}`;
  const reading = useRead<AccountsListBalancesResult>(nativeIn(context, path));
  return (
    <Shown of={reading} rows={2}>
      {(answer) => {
        const series = balanceSeries(
          answer.from,
          answer.to,
          answer.opening === null ? null : dayOf(answer.opening),
          answer.balances.map(dayOf),
        );
        return series === null ? (
          <p className="muted small">{TEXTS.noBalances}</p>
        ) : (
          <StepChart series={series} />
        );
      }}
    </Shown>
  );
}

const dayOf = (day: DayBalances): BalanceDay => ({
  date: day.date,
  currency: day.currency,
  current: amountDigits(day, 'current'),
  available: amountDigits(day, 'available'),
});
