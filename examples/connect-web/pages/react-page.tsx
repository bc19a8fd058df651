import {
  ConnectButton,
  OAuthReturn,
  useConnect,
  type ConnectExit,
  type ConnectSuccess,
} from '@tributary/connect-react';
import { StrictMode, useCallback, useEffect, useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import {
  acceptResult,
  ask,
  balance,
  BEING_READ,
  describeExit,
  describeState,
  EXAMPLE_READY,
  EXAMPLE_STARTED,
  FINANCE_APP_NOTE,
  isBeingRead,
  money,
  READ_AGAIN,
  signed,
  type LinkedBank,
  type Settings,
} from './back-end.js';
import { describeHolding, nextPayments, valueChart } from './portfolio.js';

function PocketLedger({ connectBaseUrl, allowCommand, hasExample }: Settings): ReactNode {
  const [banks, setBanks] = useState<LinkedBank[]>([]);
  const [token, setToken] = useState<string | null>(null);
  const [said, say] = useState('');
  const refresh = useCallback(() => ask('GET', '/api/links').then(setBanks), []);
  // A session has one result, so each flow starts with a new token.
  const prepare = useCallback(
    () =>
      ask('POST', '/api/session', { page: 'react' }).then(({ linkSessionToken }) =>
        setToken(linkSessionToken),
      ),
    [],
  );

  useEffect(() => {
    Promise.all([refresh(), prepare()]).catch((error: Error) => say(error.message));
  }, [refresh, prepare]);

  const isReading = banks.some(({ link }) => isBeingRead(link));
  useEffect(() => {
    if (!isReading) return;
    const again = setInterval(() => {
      refresh().catch((error: Error) => say(error.message));
    }, READ_AGAIN.everyMs);
    const end = setTimeout(() => clearInterval(again), READ_AGAIN.forMs);
    return () => {
      clearInterval(again);
      clearTimeout(end);
    };
  }, [isReading, refresh]);

  const options = {
    connectBaseUrl,
    applicationName: 'Pocket Ledger',
    onSuccess: async (success: ConnectSuccess) => {
      await acceptResult(success).then(
        () =>
          say(`${success.institution.name} is ${success.mode === 'link' ? 'linked' : 'repaired'}.`),
        (error: Error) => say(error.message),
      );
      await Promise.all([refresh(), prepare()]);
    },
    onExit: (exit: ConnectExit) => say(describeExit(exit, allowCommand)),
  };

  return (
    <>
      <h1>Pocket Ledger</h1>
      <p>All your accounts on one page.</p>
      <ConnectButton {...options} linkSessionToken={token} className="primary">
        Link a bank
      </ConnectButton>
      <div role="status">
        {location.pathname.endsWith('/bank-return') ? (
          <OAuthReturn {...options}>{said || 'One moment …'}</OAuthReturn>
        ) : (
          said
        )}
      </div>
      {banks.length === 0 && (
        <p className="none">
          No bank yet. You choose what Pocket Ledger sees, and can disconnect at any time.
          {hasExample && <ExampleButton onChange={refresh} onMessage={say} />}
        </p>
      )}
      {banks.map((bank) => (
        <Bank
          key={bank.link.link_id}
          bank={bank}
          options={options}
          onChange={refresh}
          onProblem={say}
        />
      ))}
      <FinanceApp onMessage={say} />
      <footer>
        A sample app on connect-react; <a href="/">the same without a framework</a>. Break withdraws
        the bank’s permission, which only a sandbox can.
      </footer>
    </>
  );
}

interface ExampleProps {
  onChange: () => Promise<void>;
  onMessage: (message: string) => void;
}

function ExampleButton({ onChange, onMessage }: ExampleProps): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const show = async () => {
    setBusy(true);
    onMessage(EXAMPLE_STARTED);
    try {
      await ask('POST', '/api/example', {});
      await onChange();
      onMessage(EXAMPLE_READY);
    } catch (error) {
      onMessage((error as Error).message);
      setBusy(false);
    }
  };
  return (
    <button disabled={isBusy} onClick={() => void show()}>
      Show an example with investments
    </button>
  );
}

/** Shows the setup token once: only its hash is stored. */
function FinanceApp({ onMessage }: { onMessage: (message: string) => void }): ReactNode {
  const [setupToken, setSetupToken] = useState<string | null>(null);
  const share = () => {
    ask('POST', '/api/finance-app', {}).then(
      (shared) => setSetupToken(shared.setupToken),
      (error: Error) => onMessage(error.message),
    );
  };
  const copy = () => {
    navigator.clipboard.writeText(setupToken ?? '').then(
      () => onMessage('Copied.'),
      (error: Error) => onMessage(error.message),
    );
  };
  return (
    <>
      <button onClick={share}>Use with a finance app</button>
      {setupToken !== null && (
        <div className="shared">
          <p>{FINANCE_APP_NOTE}</p>
          <textarea readOnly rows={4} aria-label="Setup token" value={setupToken} />
          <button onClick={copy}>Copy</button>
        </div>
      )}
    </>
  );
}

interface BankProps {
  bank: LinkedBank;
  options: Omit<Parameters<typeof useConnect>[0], 'linkSessionToken'>;
  onChange: () => Promise<void>;
  onProblem: (message: string) => void;
}

function Bank({ bank, options, onChange, onProblem }: BankProps): ReactNode {
  const { link, accounts, transactions, portfolios } = bank;
  const payments = nextPayments(bank);
  const [token, setToken] = useState<string | null>(null);
  const { open } = useConnect({ ...options, linkSessionToken: token });
  useEffect(() => {
    if (token !== null) open();
  }, [token, open]);
  const attempt = (what: () => Promise<unknown>) => () => {
    what().catch((error: Error) => onProblem(error.message));
  };
  const repair = attempt(() =>
    ask('POST', '/api/session', { page: 'react', linkId: link.link_id }).then(
      ({ linkSessionToken }) => setToken(linkSessionToken),
    ),
  );
  const breakIt = attempt(() => ask('POST', `/api/links/${link.link_id}/reset`, {}).then(onChange));
  const disconnect = attempt(() => ask('DELETE', `/api/links/${link.link_id}`).then(onChange));
  return (
    <article>
      <header>
        <span className="mark" aria-hidden="true">
          {link.institution_name[0]}
        </span>
        <h2>{link.institution_name}</h2>
        <span className={`state ${link.state}`}>{describeState(link)}</span>
        {link.state === 'error' ? (
          <button onClick={repair}>Repair</button>
        ) : (
          <button onClick={breakIt}>Break</button>
        )}
        <button onClick={disconnect}>Disconnect</button>
      </header>
      <ul>
        {accounts.map((account) => (
          <li key={account.account_id}>
            <span>
              {account.name}
              <small> •••• {account.account_mask}</small>
            </span>
            {balance(account)}
          </li>
        ))}
        {transactions.map((row) => (
          <li key={row.transaction_id} className="transaction">
            <span>
              <small>{row.date.slice(0, 10)}</small> {row.description}
            </span>
            {money(signed(row), row.currency)}
          </li>
        ))}
      </ul>
      {accounts.flatMap((account) =>
        portfolios
          .filter(({ account_id: id }) => id === account.account_id)
          .map((portfolio) => (
            <Portfolio key={account.account_id} portfolio={portfolio} account={account} />
          )),
      )}
      {payments.length > 0 && (
        <section>
          <h3>Next payments</h3>
          <ul>
            {payments.map(({ key, date, name, amount }) => (
              <Line key={key} name={name} detail={date} amount={amount} />
            ))}
          </ul>
        </section>
      )}
      {isBeingRead(link) && <p className="reading">{BEING_READ}</p>}
    </article>
  );
}

interface PortfolioProps {
  portfolio: LinkedBank['portfolios'][number];
  account: LinkedBank['accounts'][number];
}

function Portfolio({
  portfolio: { holdings, cash, balances },
  account,
}: PortfolioProps): ReactNode {
  const chart = valueChart(balances);
  return (
    <section>
      <h3>{account.name}</h3>
      {chart !== null && (
        <figure>
          <svg
            viewBox={chart.viewBox}
            preserveAspectRatio="none"
            role="img"
            aria-label={chart.label}
          >
            <polyline points={chart.line} />
          </svg>
          <details>
            <summary>Values by day</summary>
            <ul>
              {chart.points.map(({ date, text }) => (
                <Line key={date} name={date} amount={text} />
              ))}
            </ul>
          </details>
        </figure>
      )}
      <ul>
        {holdings.map((holding) => {
          const { name, quantity, value, gain } = describeHolding(holding);
          return (
            <Line
              key={holding.holding_id}
              name={name}
              detail={quantity}
              amount={value}
              remark={gain}
            />
          );
        })}
        {cash !== null && <Line name="Cash" amount={money(cash, account.balances.currency)} />}
      </ul>
    </section>
  );
}

interface LineProps {
  name: string | undefined;
  detail?: string;
  amount: string;
  remark?: string;
}

function Line({ name, detail, amount, remark }: LineProps): ReactNode {
  return (
    <li>
      <span>
        {name} <small>{detail}</small>
      </span>
      <span>
        {amount} <small>{remark}</small>
      </span>
    </li>
  );
}

const root = createRoot(document.querySelector('#root') as HTMLElement);
ask('GET', '/api/settings').then(
  (settings) =>
    root.render(
      <StrictMode>
        <PocketLedger {...settings} />
      </StrictMode>,
    ),
  (error: Error) => root.render(<div role="status">{error.message}</div>),
);
