import { type AnchorHTMLAttributes, forwardRef } from 'react';
import { useGo } from './address.js';

type PlaceLinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { href: string };

/** A link within the console: a real address, so that a new tab works, opened without loading the page again. */
export const PlaceLink = forwardRef<HTMLAnchorElement, PlaceLinkProps>(function PlaceLink(
  { href, onClick, ...rest },
  ref,
) {
  const go = useGo();
  return (
    <a
      ref={ref}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        const isPlain =
          event.button === 0 &&
          !event.metaKey &&
          !event.ctrlKey &&
          !event.shiftKey &&
          !event.altKey;
        if (event.defaultPrevented || !isPlain) return;
        event.preventDefault();
        go(href);
      }}
      {...rest}
    />
  );
});
