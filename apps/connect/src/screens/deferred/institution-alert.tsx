import type { ReactElement } from 'react';
import { TextButton } from '../../controls/text-button.js';
import type { Institution } from '../../../../../packages/connect-protocol/src/view.js';
import { useConnect } from '../../context/connect-context.js';
import { Screen } from '../screen.js';

/** Warns before the user tries a bank that is down. */
export function InstitutionAlert({
  institution,
  onDismiss,
}: {
  institution: Institution;
  onDismiss: () => void;
}): ReactElement {
  const { flow, texts } = useConnect();
  const dismiss = (): void => {
    flow.events.report('dismiss_institution_alert');
    onDismiss();
  };
  const acknowledge = (): void => {
    flow.events.report('acknowledge_institution_alert');
    flow.select(institution);
  };
  return (
    <Screen
      title={texts.get('down_title', { bank: institution.name })}
      subtitle={texts.get('down_text')}
      institution={institution}
      primary={{ label: texts.get('choose_another'), onPress: dismiss }}
      secondary={<TextButton onPress={acknowledge}>{texts.get('down_try')}</TextButton>}
    />
  );
}
