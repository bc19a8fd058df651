import type { ReactElement } from 'react';
import type { MissingAccount } from '../../../../packages/connect-protocol/src/step.js';
import { useConnect } from '../context/connect-context.js';
import { PickRow } from './pick-row.js';

/**
 * The accounts that the bank cannot show now. Selectable ones are shared once it can; those
 * shared earlier stay shared, without a note.
 */
export function MissingAccounts({
  accounts,
  picked,
  onPick,
}: {
  accounts: readonly MissingAccount[];
  picked: ReadonlySet<string>;
  onPick: (ref: string, isPicked: boolean) => void;
}): ReactElement | null {
  const { texts } = useConnect();
  const unknown = accounts.filter(({ name, selected }) => name === null && !selected).length;
  return (
    <>
      {/* Names may repeat, and the list never changes. */}
      {accounts.map(({ ref, name, selected }, index) =>
        name === null ? null : ref !== null ? (
          <PickRow
            key={index}
            type="checkbox"
            group="missing"
            isPicked={picked.has(ref)}
            onPick={(isPicked) => onPick(ref, isPicked)}
          >
            <span className="row-main">{texts.get('accounts_awaited', { account: name })}</span>
          </PickRow>
        ) : selected ? null : (
          <p className="hint" key={index}>
            {texts.get('accounts_missing', { account: name })}
          </p>
        ),
      )}
      {unknown > 0 && (
        <p className="hint">{texts.get('accounts_missing_unknown', { count: unknown })}</p>
      )}
    </>
  );
}
