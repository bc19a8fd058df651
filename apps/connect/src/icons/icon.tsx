import type { ReactElement } from 'react';
import { useConnect } from '../context/connect-context.js';
import type { Shape } from './shape.js';

/** A decorative icon: its meaning is always present as text. A theme may replace it. */
export function Icon({
  shape: { drawing, token, mirrors },
  size = 20,
}: {
  shape: Shape;
  size?: number;
}): ReactElement {
  const { images } = useConnect().theme;
  const address = token === undefined ? undefined : images[token];
  // In the unit of the text, so that both grow together.
  const length = `${size / 16}rem`;
  if (address !== undefined)
    return <img className="icon" src={address} style={{ width: length, height: length }} alt="" />;
  return (
    <svg
      className={mirrors ? 'icon mirrors' : 'icon'}
      width={length}
      height={length}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {drawing}
    </svg>
  );
}
