import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { Link } from '../../../../../clients/node/src/generated/types.js';
import type { LinkDetail } from '../../../../console-server/src/operations/links/link-answers.js';
import { useMayChange, useMayOperate } from '../../frame/use-may-change.js';
import { Icon } from '../../frame/icons.js';
import type { Context } from '../../frame/screen.js';
import { announce } from '../../parts/copy/announce.js';
import { ForeignText } from '../../parts/foreign-text/foreign-text.js';
import { Menu } from '../../frame/menu/menu.js';
import { MenuItem } from '../../frame/menu/menu-items.js';
import { StateMark } from '../../parts/state/state-mark.js';
import { linkState } from '../../parts/state/states.js';
import { Time } from '../../parts/time/time.js';
import { DeleteDialog } from './delete-dialog.js';
import classes from './links.module.css';
import { MoveDialog } from './move-dialog.js';
import { RefreshDialog } from './refresh-dialog.js';
import { RepairDialog } from './repair-dialog.js';
import { ResetDialog } from './reset-dialog.js';
import { TEXTS } from './texts.js';

type Dialog = 'repair' | 'refresh' | 'reset' | 'move' | 'delete';

const NEEDS_ITS_USER: readonly string[] = ['auth_expired', 'user_error', 'incomplete'];

/** The state in words, the remedy, and what can be done about it here. */
export function LinkStatePanel({
  context,
  detail,
  link,
}: {
  context: Context;
  detail: LinkDetail;
  link: Link | undefined;
}): ReactElement {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const mayChange = useMayChange();
  const state = link?.state ?? detail.state;
  const error = link === undefined ? detail.error : link.error_code;
  const message = link === undefined ? detail.error_message : link.error_message;
  const isThere = link !== undefined && state !== 'deleted';
  const words = linkState(state, error);
  const close = (): void => setDialog(null);
  const tell = (text: string): void => {
    close();
    setNote(text);
    announce(text);
  };
  const linkId = detail.link_id;
  const canMove = useMayOperate();
  const dialogs: Readonly<Record<Dialog, () => ReactElement | null | undefined>> = {
    repair: () => link && <RepairDialog context={context} link={link} onClose={close} />,
    refresh: () =>
      link && <RefreshDialog context={context} link={link} onDone={tell} onClose={close} />,
    reset: () => <ResetDialog context={context} linkId={linkId} onClose={close} />,
    move: () => <MoveDialog context={context} linkId={linkId} onDone={tell} onClose={close} />,
    delete: () => <DeleteDialog context={context} linkId={linkId} onClose={close} />,
  };
  return (
    <section className={classes.panel} data-tone={words.tone} aria-label={TEXTS.state}>
      <div className={classes.panelText}>
        <h2 className={classes.panelTitle}>
          <StateMark state={words} />
          {link !== undefined && (
            <span className={classes.panelSince}>
              {TEXTS.since} <Time at={link.updated_at} form="day" />
            </span>
          )}
        </h2>
        <p>{detail.meaning}</p>
        {message !== null && (
          <p className="muted">
            <ForeignText text={message} />
          </p>
        )}
        {detail.remedy !== null && (
          <p className="muted">
            {TEXTS.remedy}: {detail.remedy}
          </p>
        )}
        {note !== null && <p className={classes.note}>{note}</p>}
      </div>
      {mayChange && isThere && (
        <div className={classes.panelActions}>
          <Button
            variant={error !== null && NEEDS_ITS_USER.includes(error) ? 'filled' : 'default'}
            onClick={() => setDialog('repair')}
          >
            {TEXTS.repairAddress}
          </Button>
          <Button variant="default" onClick={() => setDialog('refresh')}>
            {TEXTS.refresh}
          </Button>
          <Menu
            name={TEXTS.more}
            align="end"
            button={(props) => (
              <Button variant="default" rightSection={<Icon name="down" size={16} />} {...props}>
                {TEXTS.more}
              </Button>
            )}
          >
            {context.env === 'sandbox' && (
              <MenuItem onClick={() => setDialog('reset')}>{TEXTS.reset}…</MenuItem>
            )}
            {canMove && <MenuItem onClick={() => setDialog('move')}>{TEXTS.move}…</MenuItem>}
            <MenuItem isDanger onClick={() => setDialog('delete')}>
              {TEXTS.delete}…
            </MenuItem>
          </Menu>
        </div>
      )}
      {dialog !== null && dialogs[dialog]()}
    </section>
  );
}
