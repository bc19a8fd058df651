import type { ReactElement } from 'react';
import { Icon } from '../../icons/icon.js';
import { otherWindow } from './step-shapes.js';
import { useConnect } from '../../context/connect-context.js';
import { Screen } from '../screen.js';

/** The user continued in a newer window. */
export function Moved(): ReactElement {
  const { flow, texts, hostKind } = useConnect();
  return (
    <Screen
      className="moved"
      institution={null}
      title={texts.get('moved_title')}
      subtitle={texts.get('moved_text')}
      {...(hostKind === 'page'
        ? {}
        : {
            primary: {
              label: texts.get('close'),
              onPress: () => flow.leave({ ask: 'whenAccepted' }),
            },
          })}
    >
      <div className="waiting-window" aria-hidden="true">
        <Icon shape={otherWindow} size={56} />
      </div>
    </Screen>
  );
}
