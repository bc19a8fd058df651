import type { ReactElement, ReactNode } from 'react';
import { Icon } from '../icons.js';
import { PlaceLink } from '../place-link.js';
import classes from './menu.module.css';

/** Items that belong together. */
export function MenuGroup({ name, children }: { name: string; children: ReactNode }): ReactElement {
  return (
    <div role="group" aria-label={name} className={classes.group}>
      <div className={classes.label} aria-hidden="true">
        {name}
      </div>
      {children}
    </div>
  );
}

export function MenuItem({
  isDanger = false,
  onClick,
  children,
}: {
  isDanger?: boolean;
  onClick: () => void;
  children: ReactNode;
}): ReactElement {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={classes.item}
      data-danger={isDanger || undefined}
      onClick={onClick}
    >
      <span>{children}</span>
    </button>
  );
}

/** An item that leads to another page, of which the present one is marked. */
export function MenuLink({
  href,
  isCurrent,
  children,
}: {
  href: string;
  isCurrent: boolean;
  children: ReactNode;
}): ReactElement {
  return (
    <PlaceLink
      role="menuitem"
      tabIndex={-1}
      className={classes.item}
      href={href}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <span>{children}</span>
      {isCurrent && <Icon name="check" size={16} />}
    </PlaceLink>
  );
}

/** An item that is on or off: one of several (`radio`), or each by itself. */
export function MenuChoice({
  kind,
  isChecked,
  onClick,
  children,
}: {
  kind: 'radio' | 'checkbox';
  isChecked: boolean;
  onClick: () => void;
  children: ReactNode;
}): ReactElement {
  return (
    <button
      type="button"
      role={`menuitem${kind}`}
      aria-checked={isChecked}
      tabIndex={-1}
      className={classes.item}
      onClick={onClick}
    >
      <span>{children}</span>
      {isChecked && <Icon name="check" size={16} />}
    </button>
  );
}
