import type { ReactElement } from 'react';
import { information } from '../icons/frame-shapes.js';
import { Icon } from '../icons/icon.js';

/** A change that no one is at fault for, above its subject. */
export function StepNotice({ children }: { children: string }): ReactElement {
  return (
    <p className="step-notice">
      <Icon shape={information} size={18} />
      <span>{children}</span>
    </p>
  );
}
