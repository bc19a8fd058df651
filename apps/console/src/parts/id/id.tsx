import type { ReactElement } from 'react';
import { CopyButton } from '../copy/copy-button.js';
import { shortenId } from './shorten-id.js';
import classes from './id.module.css';

/** An id, cut in its middle and copied whole. */
export function Id({
  id,
  whole = false,
  noun = 'id',
}: {
  id: string;
  whole?: boolean;
  /** For the name of the button: `Copy link mk_…`. */
  noun?: string;
}): ReactElement {
  return (
    <span className={classes.id}>
      <IdText id={id} whole={whole} />
      <CopyButton text={id} label={`Copy ${noun} ${id}`} />
    </span>
  );
}

/** For places where the id is a link. */
export function IdText({ id, whole = false }: { id: string; whole?: boolean }): ReactElement {
  return (
    <bdi className={classes.text} title={id}>
      {whole ? id : shortenId(id)}
    </bdi>
  );
}
