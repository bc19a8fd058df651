import { useState, type ReactElement } from 'react';
import { BankMessage } from '../../controls/bank-message.js';
import { EncryptedNote } from '../../controls/encrypted-note.js';
import { ErrorText } from '../../controls/error-text.js';
import { PickRow } from '../../controls/pick-row.js';
import { Icon } from '../../icons/icon.js';
import { CHANNEL_SHAPES } from './step-shapes.js';
import type { StepOf } from '../../../../../packages/connect-protocol/src/step.js';
import { useAnnounce } from '../../context/announcer.js';
import { useConnect } from '../../context/connect-context.js';
import { Screen } from '../screen.js';
import { isExtensionOffer, wordsOfOption } from './extension-offer.js';
import { labelIn } from '../../texts/known-labels.js';
import { useStepError } from '../../context/use-refusal.js';

/**
 * Devices a code can be sent to, other options of the bank, or the choices for an existing
 * connection.
 */
export function Options({ step }: { step: StepOf<'choice'> }): ReactElement {
  const { flow, texts, names } = useConnect();
  const announce = useAnnounce();
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [isIncomplete, setIncomplete] = useState(false);
  const isOffer = isExtensionOffer(step);
  const isDevice = step.purpose === 'otp_device';
  const isSingle = step.max === 1;
  const limit = texts.get('option_up_to', { count: step.max });
  const error = useStepError(step) ?? (isIncomplete ? limit : null);
  const pick = (id: string, isPicked: boolean): void => {
    setIncomplete(false);
    setPicked(
      isSingle ? [id] : isPicked ? [...picked, id] : picked.filter((other) => other !== id),
    );
  };
  const submit = (): void => {
    if (picked.length >= 1 && picked.length <= step.max) {
      return flow.answer(
        { kind: 'choice', option_ids: [...picked] },
        isOffer ? undefined : isDevice ? 'submit_otp_device' : 'submit_mfa',
      );
    }
    setIncomplete(true);
    announce(limit, { urgent: true });
  };
  return (
    <Screen
      title={
        isOffer
          ? texts.get('extension_title')
          : texts.get(isDevice ? 'device_title' : 'option_title')
      }
      subtitle={
        isOffer
          ? texts.get('extension_text', names)
          : texts.get(isDevice ? 'device_text' : 'option_text', names)
      }
      primary={{ label: texts.get('continue'), onPress: submit }}
      note={<EncryptedNote />}
    >
      <BankMessage message={step.message} />
      <fieldset className="rows" aria-labelledby="screen-title" aria-describedby="options-error">
        {step.options.map((option) => (
          <PickRow
            key={option.id}
            type={isSingle ? 'radio' : 'checkbox'}
            group="options"
            isPicked={picked.includes(option.id)}
            onPick={(isPicked) => pick(option.id, isPicked)}
          >
            {option.icon !== null && <Icon shape={CHANNEL_SHAPES[option.icon]} />}
            <OptionWords option={option} />
          </PickRow>
        ))}
      </fieldset>
      <ErrorText id="options-error">{error}</ErrorText>
    </Screen>
  );
}

function OptionWords({
  option: { id, label },
}: {
  option: StepOf<'choice'>['options'][number];
}): ReactElement {
  const { texts } = useConnect();
  const words = wordsOfOption(id);
  if (words === null) return <bdi className="row-main">{labelIn(texts, label)}</bdi>;
  return (
    <span className="row-main">
      <span className="row-title">{texts.get(words.title)}</span>
      <span className="row-detail">{texts.get(words.detail)}</span>
    </span>
  );
}
