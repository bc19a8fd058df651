import { Button, Menu } from '@mantine/core';
import type { ReactElement } from 'react';
import { useSession } from '../../data/session.js';
import { Icon } from '../icons.js';
import { useFindKey } from '../preferences.js';
import { useSignOut } from '../sign-in/use-sign-out.js';
import { TEXTS } from '../texts.js';
import css from './shell.module.css';

/** Who is signed in, as what, and until when. */
export function PersonMenu(): ReactElement {
  const { actor, role, is_read_only, ends_at, version } = useSession();
  const [hasFindKey, setHasFindKey] = useFindKey();
  const signOut = useSignOut();
  const until = new Date(ends_at);
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button variant="subtle" px={8} aria-label={actor} title={actor}>
          <Icon name="person" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={css.facts}>
          <bdi style={{ fontWeight: 600 }}>{actor}</bdi>
          <span className="muted">{TEXTS.roles[role]}</span>
          {is_read_only && <span className="muted">{TEXTS.readOnly}</span>}
          <span className="muted">
            {TEXTS.signedInUntil}{' '}
            <time dateTime={ends_at}>
              {until.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}
            </time>
          </span>
          <span className="muted">{TEXTS.version(version)}</span>
        </div>
        <Menu.Divider />
        <Menu.Item
          role="menuitemcheckbox"
          aria-checked={hasFindKey}
          closeMenuOnClick={false}
          rightSection={hasFindKey && <Icon name="check" size={16} />}
          onClick={() => setHasFindKey(!hasFindKey)}
        >
          {TEXTS.findKey}
        </Menu.Item>
        <Menu.Item onClick={() => void signOut()}>{TEXTS.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
