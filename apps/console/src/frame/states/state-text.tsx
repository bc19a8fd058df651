import type { ReactElement, ReactNode } from 'react';
import { Icon, type IconName } from '../icons.js';
import css from './states.module.css';

/** What stands in place of content: that there is none, that it failed, or that it is not for this person. */
export function StateText({
  icon,
  title,
  children,
  actions,
}: {
  icon?: IconName;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}): ReactElement {
  return (
    <div className={css.state}>
      <h2>
        {icon !== undefined && <Icon name={icon} />}
        {title}
      </h2>
      {children !== undefined && <div className="muted">{children}</div>}
      {actions !== undefined && <div className={css.actions}>{actions}</div>}
    </div>
  );
}
