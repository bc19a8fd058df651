import type { ReactElement } from 'react';
import { useSession } from '../../data/session.js';
import { useAddress } from '../address.js';
import { Icon } from '../icons.js';
import { useContextOfPage } from '../last-context.js';
import { PlaceLink } from '../place-link.js';
import type { Screen } from '../screen.js';
import { TEXTS } from '../texts.js';
import css from './shell.module.css';

/** The screens that this person may open, from the context of the page. */
export function Navigation({ screens }: { screens: readonly Screen[] }): ReactElement {
  const session = useSession();
  const context = useContextOfPage();
  const { path } = useAddress();
  const places = screens.flatMap(({ navigation }) => {
    const href = navigation?.href(context, session) ?? null;
    return navigation === undefined || href === null ? [] : [{ ...navigation, href }];
  });
  const current = placeOf(
    path,
    places.map(({ href }) => href),
  );
  return (
    <nav aria-label={TEXTS.navigation} className={css.navigation}>
      {places.map(({ label, icon, href }) => (
        <PlaceLink
          key={label}
          href={href}
          className={css.place}
          aria-current={href === current ? 'page' : undefined}
        >
          <Icon name={icon} />
          {label}
        </PlaceLink>
      ))}
    </nav>
  );
}

/** The place whose address is the longest beginning of the path. */
function placeOf(path: string, hrefs: readonly string[]): string | undefined {
  return hrefs
    .filter((href) => path === href || path.startsWith(href === '/' ? '/?' : `${href}/`))
    .sort((a, b) => b.length - a.length)[0];
}
