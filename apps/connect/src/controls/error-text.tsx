import type { ReactElement } from 'react';
import { warning } from '../icons/frame-shapes.js';
import { Icon } from '../icons/icon.js';

/**
 * An error below its subject: icon and text, never color alone. Its space is reserved while
 * there is none.
 */
export function ErrorText({ id, children }: { id: string; children: string | null }): ReactElement {
  return (
    <p className="error-text" id={id}>
      {children !== null && (
        <>
          <Icon shape={warning} size={16} />
          <span>{children}</span>
        </>
      )}
    </p>
  );
}
