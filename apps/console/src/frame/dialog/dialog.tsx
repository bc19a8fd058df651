import { useId, useLayoutEffect, useRef, type ReactElement, type ReactNode } from 'react';
import { Icon } from '../icons.js';
import { TEXTS } from '../texts.js';
import classes from './dialog.module.css';

/** The first thing that a person uses in a dialog, in place of its first button. */
const FIRST = '[data-autofocus], form input:not([type="hidden"]), form select, form textarea';

/**
 * A dialog of the browser: it keeps the focus, makes the rest of the page inert, and returns the focus when it goes.
 * It is open as long as it is rendered.
 */
export function Dialog({
  title,
  onClose,
  isLocked = false,
  side = 'center',
  children,
}: {
  title: string;
  onClose: () => void;
  /** Neither Escape nor a press beside it closes it, and it has no button that does. */
  isLocked?: boolean;
  side?: 'center' | 'start';
  children: ReactNode;
}): ReactElement {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>(FIRST)?.focus();
    // An element that is removed while it is open returns no focus.
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={classes.dialog}
      data-side={side}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!isLocked) onClose();
      }}
      onKeyDown={(event) => {
        // A second Escape in a row closes a dialog without asking it.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        if (!isLocked) onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget && !isLocked) onClose();
      }}
    >
      <div className={classes.content}>
        <div className={classes.head}>
          <h2 id={id}>{title}</h2>
          {!isLocked && (
            <button
              type="button"
              className={classes.close}
              aria-label={TEXTS.close}
              onClick={() => onClose()}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}
