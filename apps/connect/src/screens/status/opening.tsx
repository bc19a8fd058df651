import { useContext, type ReactElement } from 'react';
import { Spinner } from '../../controls/spinner.js';
import { useConnect } from '../../context/connect-context.js';
import { WaitingContext, WaitingSentence } from '../../context/waiting-sentence.js';

/** Before the first step: nothing for a moment, then a notice of loading. */
export function Opening(): ReactElement {
  const { texts } = useConnect();
  const stage = useContext(WaitingContext);
  return (
    <div className="screen opening">
      <h1 id="screen-title" className="visually-hidden">
        {texts.get('waiting')}
      </h1>
      <div className="screen-body">
        {stage !== 'none' && <Spinner />}
        <WaitingSentence />
      </div>
    </div>
  );
}
