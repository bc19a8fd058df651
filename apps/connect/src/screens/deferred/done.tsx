import { useEffect, type ReactElement } from 'react';
import { AccountText } from '../../controls/account-text.js';
import { CheckMark } from '../../controls/check-mark.js';
import { EncryptedNote } from '../../controls/encrypted-note.js';
import type { FinishResult } from '../../../../../packages/connect-protocol/src/view.js';
import { goOn } from '../../flow/ending.js';
import { isAppAddress } from '../../flow/problems.js';
import { useAnnounce } from '../../context/announcer.js';
import { useConnect } from '../../context/connect-context.js';
import { Screen } from '../screen.js';

/** Success, with the shared accounts. */
export function Done({ result }: { result: FinishResult }): ReactElement {
  const { flow, texts, theme, names, hostKind } = useConnect();
  const announce = useAnnounce();
  const title = theme.texts.success_title ?? texts.get('done_title');
  useEffect(() => announce(title), [announce, title]);
  const isAlone = hostKind === 'page';
  const returnsTo = result.completion_redirect_uri ?? null;
  const primary = !isAlone
    ? { label: texts.get('done'), onPress: () => flow.leave({ ask: 'whenAccepted' }) }
    : returnsTo !== null && isAppAddress(returnsTo)
      ? { label: texts.get('back_to_app', names), onPress: () => goOn(returnsTo) }
      : null;
  return (
    <Screen
      className="done"
      title={title}
      subtitle={texts.get('done_text', { app: names.app, bank: result.institution.name })}
      {...(primary === null ? {} : { primary })}
      note={isAlone && primary === null ? texts.get('done_close') : <EncryptedNote />}
    >
      <CheckMark />
      <ul className="rows">
        {result.accounts.map((account) => (
          <li key={account.account_id} className="row">
            <AccountText
              name={account.name}
              type={account.account_type}
              mask={account.account_mask}
            />
          </li>
        ))}
      </ul>
    </Screen>
  );
}
