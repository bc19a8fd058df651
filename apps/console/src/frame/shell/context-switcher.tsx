import { Button, TextInput } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { useSession } from '../../data/session.js';
import { Menu } from '../menu/menu.js';
import { MenuGroup, MenuLink } from '../menu/menu-items.js';
import { placeIn, useAddress } from '../address.js';
import { Icon } from '../icons.js';
import { useContextOfPage } from '../last-context.js';
import type { Context } from '../screen.js';
import { TEXTS } from '../texts.js';
import css from './shell.module.css';

/** With more, a field filters them. */
const MANY = 8;

/** The app and the environment that the page is about, and a menu of the others. */
export function ContextSwitcher(): ReactElement {
  const { apps } = useSession();
  const context = useContextOfPage();
  const { path } = useAddress();
  const [filter, setFilter] = useState('');
  if (context === null) return <span className="muted">{TEXTS.noApp}</span>;
  const { app, env } = context;
  const name = apps.find(({ app_id }) => app_id === app)?.name ?? app;
  const shown = apps.filter((each) => each.name.toLowerCase().includes(filter.toLowerCase()));
  const environments = { sandbox: TEXTS.sandbox, live: TEXTS.live };
  return (
    <Menu
      name={TEXTS.context}
      width={264}
      button={(props) => (
        <Button
          className={css.context}
          variant="default"
          rightSection={<Icon name="down" size={16} />}
          {...props}
          onClick={() => setFilter('')}
        >
          <span className={css.chosen}>
            <bdi className={css.chosenName}>{name}</bdi>
            {env === 'live' ? (
              <span className={css.live}>{TEXTS.live}</span>
            ) : (
              <span>&nbsp;· {TEXTS.sandbox}</span>
            )}
          </span>
        </Button>
      )}
      before={
        apps.length > MANY && (
          <TextInput
            aria-label={TEXTS.filterApps}
            placeholder={TEXTS.filterApps}
            value={filter}
            onChange={({ currentTarget }) => setFilter(currentTarget.value)}
            m={8}
          />
        )
      }
    >
      <MenuGroup name={TEXTS.environment}>
        {(['sandbox', 'live'] as const).map((each) => (
          <MenuLink key={each} href={sameScreen(path, { app, env: each })} isCurrent={each === env}>
            {environments[each]}
          </MenuLink>
        ))}
      </MenuGroup>
      {shown.length > 0 && (
        <MenuGroup name={TEXTS.apps}>
          {shown.map((each) => (
            <MenuLink
              key={each.app_id}
              href={sameScreen(path, { app: each.app_id, env })}
              isCurrent={each.app_id === app}
            >
              <bdi>{each.name}</bdi>
            </MenuLink>
          ))}
        </MenuGroup>
      )}
    </Menu>
  );
}

/** The same list in another context; a single link or event exists in one of them only. */
function sameScreen(path: string, context: Context): string {
  const [, , , , screen] = path.split('/');
  const isOfEnvironment = /^\/a\/[^/]+\/(sandbox|live)(\/|$)/.test(path);
  const isElsewhere = context.env === 'live' && screen === 'sandbox';
  return placeIn(context, isOfEnvironment && screen && !isElsewhere ? `/${screen}` : '');
}
