import type { ReactElement } from 'react';
import { useSession } from '../../data/session.js';
import { useAddress } from '../address.js';
import { Icon } from '../icons.js';
import { useContextOfPage } from '../last-context.js';
import { PlaceLink } from '../place-link.js';
import type { Page, Screen } from '../screen.js';
import { TEXTS } from '../texts.js';
import css from './shell.module.css';

/** The screens that this person may open, from the context of the page. */
export function Navigation({ screens }: { screens: readonly Screen[] }): ReactElement {
  const session = useSession();
  const context = useContextOfPage();
  const { path } = useAddress();
  const places = screens.flatMap(({ name, navigation }) => {
    const href = navigation?.href(context, session) ?? null;
    return navigation === undefined || href === null ? [] : [{ ...navigation, href, name }];
  });
  const open = screens.find(({ pages }) => pages.some((page) => isAt(page, path)));
  return (
    <nav aria-label={TEXTS.navigation} className={css.navigation}>
      {places.map(({ label, icon, href, name }) => (
        <PlaceLink
          key={label}
          href={href}
          className={css.place}
          aria-current={name === open?.name ? 'page' : undefined}
        >
          <Icon name={icon} />
          {label}
        </PlaceLink>
      ))}
    </nav>
  );
}

/** Whether an address is one of this page. */
function isAt({ path: pattern }: Page, path: string): boolean {
  const [names, parts] = [pattern.split('/'), path.replace(/\/$/, '').split('/')];
  const isRoot = pattern === '/' && path === '/';
  return (
    isRoot ||
    (names.length === parts.length &&
      names.every((name, index) => name.startsWith('$') || name === parts[index]))
  );
}
