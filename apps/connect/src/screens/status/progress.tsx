import type { ReactElement } from 'react';
import { AppAndBank } from '../../controls/app-and-bank.js';
import { BankMessage } from '../../controls/bank-message.js';
import { Spinner } from '../../controls/spinner.js';
import { TextButton } from '../../controls/text-button.js';
import type { WaitStage } from '../../../../../packages/connect-protocol/src/step.js';
import { useConnect } from '../../context/connect-context.js';
import { useWaitingSentence } from '../../context/waiting-sentence.js';
import { Screen } from '../screen.js';

interface ProgressProps {
  stage: WaitStage;
  message: string | null;
  canCancel: boolean;
}

/** The progress at the bank, as text. */
export function Progress({ stage, message, canCancel }: ProgressProps): ReactElement {
  const { flow, state, texts, names } = useConnect();
  const isAtBank = state.view?.institution != null;
  const sentence = useWaitingSentence();
  return (
    <Screen
      className="progress"
      title={texts.get(`stage_${stage}`, names)}
      institution={null}
      tellsWait={false}
      secondary={
        canCancel && (
          <TextButton onPress={() => flow.answer({ kind: 'wait', cancel: true })}>
            {texts.get('cancel')}
          </TextButton>
        )
      }
    >
      {isAtBank ? (
        <AppAndBank>
          <Spinner />
        </AppAndBank>
      ) : (
        <Spinner />
      )}
      <BankMessage message={message} />
      <p className="waiting" aria-hidden="true">
        {sentence}
      </p>
    </Screen>
  );
}
