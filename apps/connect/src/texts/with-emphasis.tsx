import { Fragment, type ReactElement } from 'react';

/** A text with one of its placeholders in bold. */
export function withEmphasis(
  parts: readonly { text: string; name: string | null }[],
  name: string,
): ReactElement {
  return (
    <>
      {parts.map((part, index) =>
        part.name === name ? (
          <b key={index}>{part.text}</b>
        ) : (
          <Fragment key={index}>{part.text}</Fragment>
        ),
      )}
    </>
  );
}
