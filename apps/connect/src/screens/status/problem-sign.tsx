import type { ReactElement } from 'react';
import { SIGN_PATHS } from '../../icons/sign-paths.js';
import { Icon } from '../../icons/icon.js';
import type { Sign } from '../../flow/problem-table.js';

/** The small picture over a problem. */
export default function ProblemSign({ sign }: { sign: Sign }): ReactElement {
  return (
    <div className="sign" aria-hidden="true">
      <Icon shape={{ drawing: <path d={SIGN_PATHS[sign]} /> }} size={32} />
    </div>
  );
}
