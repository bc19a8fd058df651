import { useState, type ReactElement } from 'react';
import { AccountText, formatBalance } from '../../controls/account-text.js';
import { BankMessage } from '../../controls/bank-message.js';
import { MissingAccounts } from '../../controls/missing-accounts.js';
import { EncryptedNote } from '../../controls/encrypted-note.js';
import { ErrorText } from '../../controls/error-text.js';
import { PickRow } from '../../controls/pick-row.js';
import type { StepOf } from '../../../../../packages/connect-protocol/src/step.js';
import { useAnnounce } from '../../context/announcer.js';
import { useConnect } from '../../context/connect-context.js';
import { Screen } from '../screen.js';
import { useStepError } from '../../context/use-refusal.js';

/** The choice of shared accounts: check boxes, or radio buttons for a single one. */
export function Accounts({ step }: { step: StepOf<'select_accounts'> }): ReactElement {
  const { flow, texts, names } = useConnect();
  const { accounts, min, max, missing = [] } = step;
  const announce = useAnnounce();
  // The bank cannot show these now; one that is chosen is shared as soon as it can.
  const awaited = missing.flatMap(({ ref, name, selected }) =>
    ref === null || name === null ? [] : [{ ref, name, selected }],
  );
  const [picked, setPicked] = useState<ReadonlySet<string>>(
    () =>
      new Set([
        ...accounts
          .filter(({ selected, locked }) => selected || locked)
          .map(({ ref }) => ref)
          .slice(0, max ?? undefined),
        ...awaited.filter(({ selected }) => selected).map(({ ref }) => ref),
      ]),
  );
  const [limit, setLimit] = useState<string | null>(null);
  const error = useStepError(step) ?? limit;
  const isSingle = max === 1;
  const refs = [...accounts, ...awaited].map(({ ref }) => ref);
  const lockedRefs = accounts.filter(({ locked }) => locked).map(({ ref }) => ref);
  const areAllPicked = picked.size === refs.length;
  const pick = (next: ReadonlySet<string>): void => {
    setPicked(next);
    setLimit(null);
  };
  const change = (ref: string, isPicked: boolean): void => {
    if (isSingle) return pick(new Set([ref]));
    const next = new Set(picked);
    if (isPicked) next.add(ref);
    else next.delete(ref);
    pick(next);
  };
  const submit = (): void => {
    // connect 5, rule 13: the least number counts accounts that can be read.
    const readable = accounts.filter(({ ref }) => picked.has(ref)).length;
    const broken =
      readable < min
        ? texts.get('accounts_least', { count: min })
        : max !== null && readable > max
          ? texts.get('accounts_most', { count: max })
          : null;
    setLimit(broken);
    if (broken !== null) return announce(broken, { urgent: true });
    flow.events.report('submit_accounts', { count: picked.size });
    flow.answer({ kind: 'select_accounts', refs: refs.filter((ref) => picked.has(ref)) });
  };
  return (
    <Screen
      title={texts.get(isSingle ? 'accounts_title_one' : 'accounts_title')}
      subtitle={texts.get('accounts_text', names)}
      primary={{ label: texts.get('accounts_share', { count: picked.size }), onPress: submit }}
      note={<EncryptedNote />}
    >
      <BankMessage message={step.message} />
      <fieldset className="rows" aria-labelledby="screen-title" aria-describedby="accounts-error">
        {!isSingle && refs.length - lockedRefs.length > 1 && max === null && (
          <PickRow
            type="checkbox"
            group="all"
            isPicked={areAllPicked}
            onPick={(all) => pick(new Set(all ? refs : lockedRefs))}
          >
            <span className="row-main row-all">{texts.get('accounts_all')}</span>
          </PickRow>
        )}
        {accounts.map((account) => (
          <PickRow
            key={account.ref}
            type={isSingle ? 'radio' : 'checkbox'}
            group="accounts"
            isPicked={picked.has(account.ref)}
            isLocked={account.locked}
            onPick={(isPicked) => change(account.ref, isPicked)}
          >
            <AccountText
              name={account.name}
              type={account.account_type}
              mask={account.account_mask}
              note={account.locked ? texts.get('accounts_earlier') : null}
            />
            <bdi className="row-amount" dir="ltr">
              {formatBalance(account.balance, account.currency, texts.formatLocale)}
            </bdi>
          </PickRow>
        ))}
        {awaited.map(({ ref, name }) => (
          <PickRow
            key={ref}
            type="checkbox"
            group="accounts"
            isPicked={picked.has(ref)}
            onPick={(isPicked) => change(ref, isPicked)}
          >
            <span className="row-main">
              <bdi className="row-title">{name}</bdi>
              <span className="row-detail">{texts.get('accounts_awaited')}</span>
            </span>
          </PickRow>
        ))}
      </fieldset>
      <MissingAccounts accounts={missing} />
      <ErrorText id="accounts-error">{error}</ErrorText>
    </Screen>
  );
}
