import type { ReactElement } from 'react';
import { useConnect } from '../context/connect-context.js';

/** Which accounts the bank could not show, by name where it is known. */
export function MissingAccounts({
  names,
}: {
  names: readonly (string | null)[];
}): ReactElement | null {
  const { texts } = useConnect();
  if (names.length === 0) return null;
  const known = names.filter((name) => name !== null);
  const unknown = names.length - known.length;
  return (
    <>
      {known.map((account, index) => (
        // Names may repeat, and the list never changes.
        <p className="hint" key={index}>
          {texts.get('accounts_missing', { account })}
        </p>
      ))}
      {unknown > 0 && (
        <p className="hint">{texts.get('accounts_missing_unknown', { count: unknown })}</p>
      )}
    </>
  );
}
