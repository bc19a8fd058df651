import { Button, Switch } from '@mantine/core';
import type { ReactElement } from 'react';
import { useSession } from '../../data/session.js';
import { Menu } from '../menu/menu.js';
import { Icon } from '../icons.js';
import { useFindKey } from '../preferences.js';
import { signOut } from '../sign-in/sign-out.js';
import { TEXTS } from '../texts.js';
import css from './shell.module.css';

/** Who is signed in, as what, and until when. */
export function PersonMenu(): ReactElement {
  const { actor, role, is_read_only, ends_at, version } = useSession();
  const [hasFindKey, setHasFindKey] = useFindKey();
  const until = new Date(ends_at);
  return (
    <Menu
      kind="dialog"
      name={TEXTS.person}
      align="end"
      width={280}
      button={(props) => (
        <Button
          variant="subtle"
          px={8}
          aria-label={TEXTS.signedInAs(actor)}
          title={actor}
          {...props}
        >
          <Icon name="person" />
        </Button>
      )}
    >
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
      <Switch
        label={TEXTS.findKey}
        checked={hasFindKey}
        onChange={({ currentTarget }) => setHasFindKey(currentTarget.checked)}
      />
      <Button variant="default" fullWidth mt={16} onClick={() => void signOut()}>
        {TEXTS.signOut}
      </Button>
    </Menu>
  );
}
