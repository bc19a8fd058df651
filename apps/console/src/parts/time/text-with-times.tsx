import type { ReactElement } from 'react';
import { ForeignText } from '../foreign-text/foreign-text.js';
import { splitTimes } from './split-times.js';
import { Time } from './time.js';

/** A sentence of the service, whose times follow the zone of the screen. */
export function TextWithTimes({ text }: { text: string }): ReactElement {
  return (
    <>
      {splitTimes(text).map((part, index) =>
        part.at === undefined ? (
          <ForeignText key={index} text={part.text} />
        ) : (
          <Time key={index} at={part.text} form="day" />
        ),
      )}
    </>
  );
}
