import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { usePlaidLink } from 'react-plaid-link';

interface Item {
  itemId: string;
  institution: string | null;
  error: string | null;
  accounts: {
    account_id: string;
    name: string;
    mask: string | null;
    current: number | null;
    currency: string | null;
  }[];
  owner: string | null;
  transactions: {
    transaction_id: string;
    date: string;
    name: string;
    amount: number;
    currency: string | null;
  }[];
}

/** Survives the redirect to the bank's pages, as Plaid's documentation requires. */
const KEPT = 'link-token';

async function ask<Answer>(method: string, path: string, body: object = {}): Promise<Answer> {
  const response = await fetch(
    path,
    method === 'GET'
      ? {}
      : { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  );
  const answer = (await response.json()) as Answer & { error?: string };
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

function PiggyBank(): ReactNode {
  const isReturn = location.pathname === '/bank-return';
  const [token, setToken] = useState(isReturn ? localStorage.getItem(KEPT) : null);
  const [items, setItems] = useState<Item[]>([]);
  const [said, say] = useState('');
  const refresh = useCallback(() => ask<Item[]>('GET', '/api/items').then(setItems), []);

  const { open, ready } = usePlaidLink({
    token,
    ...(isReturn ? { receivedRedirectUri: location.href } : {}),
    onSuccess: (publicToken, { institution }) => {
      ask('POST', '/api/items', { publicToken })
        .then(() => {
          setToken(null);
          say(`${institution?.name ?? 'Your bank'} is connected.`);
        })
        .then(refresh)
        .catch((error: Error) => say(error.message));
    },
    onExit: (error, { status }) => {
      setToken(null);
      say(
        error === null
          ? `Nothing was connected (${status ?? 'closed'}).`
          : `${error.error_type}: ${error.error_code}`,
      );
    },
  });
  useEffect(() => {
    if (ready && token !== null) open();
  }, [ready, token, open]);
  useEffect(() => {
    refresh().catch((error: Error) => say(error.message));
  }, [refresh]);

  const attempt = (what: () => Promise<unknown>) => () => {
    what().catch((error: Error) => say(error.message));
  };
  const link = (itemId?: string) =>
    attempt(async () => {
      const { linkToken } = await ask<{ linkToken: string }>('POST', '/api/link-token', { itemId });
      localStorage.setItem(KEPT, linkToken);
      setToken(linkToken);
    });
  const change = (path: string, itemId: string) =>
    attempt(() => ask('POST', path, { itemId }).then(refresh));

  return (
    <>
      <h1>Piggy Bank</h1>
      <p>An app made for Plaid.</p>
      <button onClick={link()}>Connect a bank</button>
      <button onClick={attempt(refresh)}>Refresh</button>
      <p role="status">{said}</p>
      {items.map((item) => (
        <article key={item.itemId} aria-label={item.institution ?? ''}>
          <h2>{item.institution}</h2>
          <p>
            {item.error ??
              (item.owner === null ? 'Its data are on their way.' : `Belongs to ${item.owner}.`)}
          </p>
          <ul>
            {item.accounts.map(({ account_id: id, name, mask, current, currency }) => (
              <li key={id}>
                {name} {mask}: {current} {currency}
              </li>
            ))}
          </ul>
          <p>{item.transactions.length} transactions</p>
          {item.error === null ? (
            <button onClick={change('/api/break', item.itemId)}>Break</button>
          ) : (
            <button onClick={link(item.itemId)}>Repair</button>
          )}
          <button onClick={change('/api/remove', item.itemId)}>Remove</button>
        </article>
      ))}
    </>
  );
}

createRoot(document.querySelector('#root') as HTMLElement).render(<PiggyBank />);
