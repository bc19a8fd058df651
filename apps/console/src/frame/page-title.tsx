import { type ReactElement, type ReactNode, useEffect } from 'react';
import css from './page-title.module.css';
import { TEXTS } from './texts.js';

/** The heading of a page, beside its actions, and the title of its tab. */
export function PageTitle({
  title,
  children,
  actions,
}: {
  title: string;
  /** A line below the heading. */
  children?: ReactNode;
  actions?: ReactNode;
}): ReactElement {
  useEffect(() => {
    document.title = `${title} · ${TEXTS.product}`;
  }, [title]);
  return (
    <div className={css.head}>
      <div className={css.text}>
        <h1 tabIndex={-1}>{title}</h1>
        {children !== undefined && <div className="muted">{children}</div>}
      </div>
      {actions !== undefined && <div className={css.actions}>{actions}</div>}
    </div>
  );
}
