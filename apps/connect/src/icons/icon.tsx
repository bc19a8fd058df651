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
  if (address !== undefined)
    return <img className="icon" src={address} width={size} height={size} alt="" />;
  return (
    <svg
      className={mirrors ? 'icon mirrors' : 'icon'}
      width={size}
      height={size}
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
