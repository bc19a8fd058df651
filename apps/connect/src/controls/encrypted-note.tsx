import type { ReactElement } from 'react';
import { useConnect } from '../context/connect-context.js';
import { lock } from '../icons/frame-shapes.js';
import { Icon } from '../icons/icon.js';

/** The small line under the main button of a form. */
export function EncryptedNote(): ReactElement {
  const { texts } = useConnect();
  return (
    <>
      <Icon shape={lock} size={14} />
      {texts.get('encrypted')}
    </>
  );
}
