import { Button, Menu, TextInput } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { useSession } from '../../data/session.js';
import { placeIn, useAddress } from '../address.js';
import { Icon } from '../icons.js';
import { useContextOfPage } from '../last-context.js';
import { PlaceLink } from '../place-link.js';
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
    <Menu position="bottom-start" width={264} onClose={() => setFilter('')}>
      <Menu.Target>
        <Button
          className={css.context}
          variant="default"
          rightSection={<Icon name="down" size={16} />}
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
      </Menu.Target>
      <Menu.Dropdown style={{ maxHeight: '70dvh', overflowY: 'auto' }}>
        <Menu.Label>{TEXTS.environment}</Menu.Label>
        {(['sandbox', 'live'] as const).map((each) => (
          <Menu.Item
            key={each}
            component={PlaceLink}
            href={sameScreen(path, { app, env: each })}
            rightSection={each === env && <Icon name="check" size={16} />}
            aria-current={each === env ? 'true' : undefined}
          >
            {environments[each]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{TEXTS.apps}</Menu.Label>
        {apps.length > MANY && (
          <TextInput
            aria-label={TEXTS.filterApps}
            placeholder={TEXTS.filterApps}
            value={filter}
            onChange={({ currentTarget }) => setFilter(currentTarget.value)}
            onKeyDown={(event) => event.stopPropagation()}
            m={8}
          />
        )}
        {shown.map((each) => (
          <Menu.Item
            key={each.app_id}
            component={PlaceLink}
            href={sameScreen(path, { app: each.app_id, env })}
            rightSection={each.app_id === app && <Icon name="check" size={16} />}
            aria-current={each.app_id === app ? 'true' : undefined}
          >
            <bdi>{each.name}</bdi>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
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
