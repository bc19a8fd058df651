import {
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  type ToggleEvent,
} from 'react';
import classes from './menu.module.css';
import { nextItem } from './next-item.js';
import { placeBelow } from './place-below.js';

const ITEMS = '[role^="menuitem"]';

/** What the button of a menu needs to be one. */
export interface MenuButtonProps {
  ref: Ref<HTMLButtonElement>;
  popoverTarget: string;
  'aria-haspopup': 'menu' | 'dialog';
  'aria-expanded': boolean;
  onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * A button and what it opens, in the top layer: the browser closes it with Escape and with a press elsewhere. Arrows
 * move through its items, and it returns the focus.
 */
export function Menu({
  name,
  button,
  align = 'start',
  width = 220,
  kind = 'menu',
  before,
  children,
}: {
  name: string;
  button: (props: MenuButtonProps) => ReactNode;
  /** The edge of the button at which it lies. */
  align?: 'start' | 'end';
  width?: number;
  /** `dialog`: its content has other controls than items. */
  kind?: 'menu' | 'dialog';
  /** Above the items, such as a field that filters them. */
  before?: ReactNode;
  children: ReactNode;
}): ReactElement {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const items = (): HTMLElement[] => [
    ...(panel.current?.querySelectorAll<HTMLElement>(ITEMS) ?? []),
  ];
  const close = (): void => {
    panel.current?.hidePopover();
    target.current?.focus();
  };
  const onBeforeToggle = ({ newState }: ToggleEvent): void => {
    if (newState !== 'open') return;
    setIsOpen(true);
    if (target.current !== null && panel.current !== null)
      placeBelow(target.current, panel.current, { align, width });
  };
  const onToggle = ({ newState }: ToggleEvent): void => {
    // Not before: the browser returns the focus only from an item that is still there.
    if (newState !== 'open') return setIsOpen(false);
    const [first] = items();
    const chosen = items().find((item) => item.ariaChecked === 'true' || item.ariaCurrent !== null);
    const other = panel.current?.querySelector<HTMLElement>('button, input, a[href]');
    (chosen ?? first ?? other)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab' && kind === 'menu') return close();
    const all = items();
    const current = all.indexOf(event.target as HTMLElement);
    // In a field, these keys move through its text.
    const isInField = event.target instanceof HTMLInputElement;
    if (isInField && (event.key === 'Home' || event.key === 'End')) return;
    const next = nextItem(event.key, current, all.length);
    if (next === null) return;
    event.preventDefault();
    all[next]?.focus();
  };
  const onClick = ({ target: pressed }: MouseEvent): void => {
    // A check box is one of several: it leaves the menu open.
    const item = (pressed as Element).closest(ITEMS);
    if (item !== null && item.role !== 'menuitemcheckbox') close();
  };
  return (
    <>
      {button({
        ref: target,
        popoverTarget: id,
        'aria-haspopup': kind,
        'aria-expanded': isOpen,
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown' || isOpen) return;
          event.preventDefault();
          panel.current?.showPopover();
        },
      })}
      <div
        ref={panel}
        id={id}
        popover="auto"
        className={classes.panel}
        onBeforeToggle={onBeforeToggle}
        onToggle={onToggle}
        onKeyDown={onKeyDown}
        onClick={onClick}
        {...(kind === 'dialog' ? { role: 'dialog', 'aria-label': name } : {})}
      >
        {isOpen && (
          <>
            {before}
            {kind === 'dialog' ? (
              children
            ) : (
              <div role="menu" aria-label={name}>
                {children}
              </div>
            )}
          </>
        )}
      </div>
    </>
  );
}
