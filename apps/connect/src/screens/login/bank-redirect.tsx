import type { ReactElement } from 'react';
import { AppAndBank } from '../../controls/app-and-bank.js';
import { BankMessage } from '../../controls/bank-message.js';
import { ErrorText } from '../../controls/error-text.js';
import { Spinner } from '../../controls/spinner.js';
import { TextButton } from '../../controls/text-button.js';
import { bankWindow, returning, key } from '../../icons/bank-shapes.js';
import { lock, outside } from '../../icons/frame-shapes.js';
import { Icon } from '../../icons/icon.js';
import { BankLogin } from '../../flow/bank-login.js';
import type { StepOf } from '../../../../../packages/connect-protocol/src/step.js';
import { useConnect } from '../../context/connect-context.js';
import { Screen } from '../screen.js';
import { useStepError } from '../../context/use-refusal.js';

/** Before the bank's own pages: a preview of them. While they are open: the ways to continue. After them: the return. */
export function BankRedirect({ step }: { step: StepOf<'redirect'> }): ReactElement {
  const { flow, state, texts, names, hostKind, oauthWindow } = useConnect();
  const error = useStepError(step);
  const login = flow.loginAtBank((parts) => new BankLogin(parts));
  const open = (): void =>
    login.start({
      ...names,
      text: texts.get('redirect_opening', names),
      isToLeft: texts.direction === 'rtl',
    });
  const note = (
    <>
      <Icon shape={lock} size={14} />
      {texts.get('redirect_note', names)}
    </>
  );
  if (state.sending && state.sent === 'oauth_return') {
    return (
      <Screen
        key="return"
        className="progress"
        title={texts.get('redirect_returned', names)}
        institution={null}
      >
        <AppAndBank>
          <Spinner />
        </AppAndBank>
      </Screen>
    );
  }
  if (step.started) {
    return (
      <Screen
        className="at-bank"
        institution={null}
        title={texts.get('redirect_waiting_title')}
        subtitle={texts.get('redirect_waiting_text')}
        primary={{
          label: (
            <>
              {texts.get('redirect_again')} <Icon shape={outside} size={18} />
            </>
          ),
          onPress: open,
        }}
        secondary={<TextButton onPress={() => login.cancel()}>{texts.get('cancel')}</TextButton>}
        note={note}
      >
        <AppAndBank />
        <ErrorText id="redirect-error">{error}</ErrorText>
      </Screen>
    );
  }
  const isElsewhere = hostKind === 'webview' || oauthWindow === 'popup';
  return (
    <Screen
      className="at-bank"
      institution={null}
      title={texts.get('redirect_title', names)}
      primary={{
        label: (
          <>
            {texts.get('redirect_continue', names)} <Icon shape={outside} size={18} />
          </>
        ),
        onPress: open,
      }}
      note={note}
    >
      <AppAndBank />
      <BankMessage message={step.message} />
      <ol className="happenings">
        <li>
          <Icon shape={bankWindow} />
          {texts.get(isElsewhere ? 'redirect_opens' : 'redirect_opens_here', names)}
        </li>
        <li>
          <Icon shape={key} />
          {texts.get('redirect_sign_in')}
        </li>
        <li>
          <Icon shape={returning} />
          {texts.get('redirect_return')}
        </li>
      </ol>
      <ErrorText id="redirect-error">{error}</ErrorText>
    </Screen>
  );
}
