import type { ReactElement, ReactNode } from 'react';
import { isWebAddress } from '../flow/problems.js';
import { outside } from '../icons/frame-shapes.js';
import { Icon } from '../icons/icon.js';
import { useConnect } from '../context/connect-context.js';

/**
 * A link to a page of the bank, in a window of its own. An address that is not a web URL is not a
 * link.
 */
export function OutsideLink({
  href,
  onFollow,
  children,
}: {
  href: string | null;
  onFollow: () => void;
  children: ReactNode;
}): ReactElement | null {
  const { texts } = useConnect();
  if (!isWebAddress(href)) return null;
  return (
    <a
      className="text-button"
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      onClick={onFollow}
    >
      {children} <Icon shape={outside} size={14} />
      <span className="visually-hidden">({texts.get('opens_window')})</span>
    </a>
  );
}
