import type { ReactElement } from 'react';
import type { MissingAccount } from '../../../../packages/connect-protocol/src/step.js';
import { useConnect } from '../context/connect-context.js';

/**
 * The accounts that the bank cannot show now and that cannot be chosen. Those shared earlier stay
 * shared, without a note.
 */
export function MissingAccounts({
  accounts,
}: {
  accounts: readonly MissingAccount[];
}): ReactElement | null {
  const { texts } = useConnect();
  const unshared = accounts.filter(({ selected }) => !selected);
  const unknown = unshared.filter(({ name }) => name === null).length;
  return (
    <>
      {/* Names may repeat, and the list never changes. */}
      {unshared.map(({ ref, name }, index) =>
        ref === null && name !== null ? (
          <p className="hint" key={index}>
            {texts.get('accounts_missing', { account: name })}
          </p>
        ) : null,
      )}
      {unknown > 0 && (
        <p className="hint">{texts.get('accounts_missing_unknown', { count: unknown })}</p>
      )}
    </>
  );
}
