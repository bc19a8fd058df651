import type { ReactElement, ReactNode } from 'react';
import { PlaceLink } from '../../frame/place-link.js';
import { Icon } from '../../frame/icons.js';
import classes from './page-parts.module.css';

/** The list that a page belongs to, above its heading. */
export function Parent({ href, name }: { href: string; name: string }): ReactElement {
  return (
    <PlaceLink href={href} className={classes.parent}>
      <Icon name="left" size={16} />
      {name}
    </PlaceLink>
  );
}

/** A part of a page with its heading. */
export function Card({
  title,
  aside,
  children,
  isFlush = false,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
  /** Its content, such as a table, reaches to the edges. */
  isFlush?: boolean;
}): ReactElement {
  return (
    <section className={classes.card} aria-label={title}>
      <div className={classes.cardHead}>
        <h2>{title}</h2>
        {aside}
      </div>
      <div className={isFlush ? undefined : classes.cardBody}>{children}</div>
    </section>
  );
}

/** Names with their values. */
export function Facts({
  facts,
}: {
  facts: readonly (readonly [name: string, value: ReactNode])[];
}): ReactElement {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Parts of a screen that have addresses of their own. */
export function AddressTabs({
  name,
  tabs,
  current,
}: {
  name: string;
  tabs: readonly { id: string; title: string; href: string }[];
  current: string;
}): ReactElement {
  return (
    <nav className={classes.tabs} aria-label={name}>
      {tabs.map(({ id, title, href }) => (
        <PlaceLink key={id} href={href} aria-current={id === current ? 'page' : undefined}>
          {title}
        </PlaceLink>
      ))}
    </nav>
  );
}

/** Two columns where there is room. */
export function Columns({ children }: { children: ReactNode }): ReactElement {
  return <div className={classes.columns}>{children}</div>;
}

export function Stack({ children }: { children: ReactNode }): ReactElement {
  return <div className={classes.stack}>{children}</div>;
}
