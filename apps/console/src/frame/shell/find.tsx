import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue, useHotkeys } from '@mantine/hooks';
import { type ReactElement, useState } from 'react';
import { useRead } from '../../data/use-read.js';
import { Dialog } from '../dialog/dialog.js';
import { useGo } from '../address.js';
import { Icon } from '../icons.js';
import { PlaceLink } from '../place-link.js';
import { useFindKey } from '../preferences.js';
import { TEXTS } from '../texts.js';
import css from './shell.module.css';

interface Found {
  kind: string;
  id: string;
  app_id: string;
  environment: string | null;
  /** The address of its page in the console. */
  path: string;
}

const MIN_LENGTH = 3;

/** Takes any id to its page, in whichever context that is. */
export function Find(): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  const [hasKey] = useFindKey();
  // Not over another dialog.
  const openByKey = (): void => setIsOpen(document.querySelector('dialog[open]') === null);
  useHotkeys(hasKey ? [['/', openByKey]] : []);
  return (
    <>
      <Button
        className={`${css.wide} ${css.find}`}
        variant="default"
        leftSection={<Icon name="find" size={16} />}
        onClick={() => setIsOpen(true)}
      >
        {TEXTS.find}
        {hasKey && <kbd aria-hidden="true">/</kbd>}
      </Button>
      <Button
        className={css.phone}
        variant="subtle"
        px={8}
        aria-label={TEXTS.find}
        onClick={() => setIsOpen(true)}
      >
        <Icon name="find" />
      </Button>
      {isOpen && (
        <Dialog onClose={() => setIsOpen(false)} title={TEXTS.findLong}>
          <FindForm close={() => setIsOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

function FindForm({ close }: { close: () => void }): ReactElement {
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text.trim(), 250);
  const isLong = settled.length >= MIN_LENGTH;
  const { data, failure } = useRead<Found[]>(
    isLong ? `/find?${new URLSearchParams({ q: settled })}` : null,
  );
  const go = useGo();
  const found = isLong ? data : undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const [only] = found ?? [];
        if (only === undefined) return;
        close();
        go(only.path);
      }}
    >
      <TextInput
        data-autofocus
        label={TEXTS.find}
        description={TEXTS.findHint}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        error={failure?.message}
      />
      <div role="status" className="muted small" style={{ minHeight: 18, marginTop: 8 }}>
        {found?.length === 0 && TEXTS.findNothing}
      </div>
      {found !== undefined && found.length > 0 && (
        <ul className={css.results}>
          {found.map(({ kind, id, path, environment }) => (
            <li key={`${kind} ${id} ${path}`}>
              <PlaceLink href={path} className={css.result} onClick={close}>
                <span>
                  {kind} {environment !== null && <span className="muted">· {environment}</span>}
                </span>
                <code>{id}</code>
              </PlaceLink>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}
