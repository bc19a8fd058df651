import { useContext, useState, type ReactElement } from 'react';
import { FillingContext } from './use-filling.js';
import type { View } from '../session/view.js';
import { useConnect } from '../context/connect-context.js';
import { suggestionsFor, type Suggestion } from './suggestions.js';

/** Users and answers that the sandbox bank accepts; one click fills them in. */
export function SandboxHelp({ view }: { view: View }): ReactElement | null {
  const { texts } = useConnect();
  const fill = useContext(FillingContext);
  const [isOpen, setOpen] = useState(false);
  const suggestions = suggestionsFor(view);
  const use = (suggestion: Suggestion): void => {
    fill.current?.(suggestion);
    setOpen(false);
  };
  if (suggestions.length <= 1)
    return (
      <>
        {suggestions.map((suggestion) => (
          <Chip key={suggestion.label} suggestion={suggestion} onUse={use} />
        ))}
      </>
    );
  return (
    <>
      <button
        type="button"
        className="band-button"
        aria-expanded={isOpen}
        aria-controls="sandbox-users"
        onClick={() => setOpen(!isOpen)}
      >
        {texts.get('sandbox_users')}
      </button>
      <ul className="sandbox-users" id="sandbox-users" hidden={!isOpen}>
        {suggestions.map((suggestion) => (
          <li key={suggestion.label}>
            <Chip suggestion={suggestion} onUse={use} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Chip({
  suggestion,
  onUse,
}: {
  suggestion: Suggestion;
  onUse: (suggestion: Suggestion) => void;
}): ReactElement {
  const { texts } = useConnect();
  return (
    <button
      type="button"
      className="chip"
      dir="ltr"
      aria-label={texts.get('sandbox_fill', { value: suggestion.label })}
      onClick={() => onUse(suggestion)}
    >
      {suggestion.label}
    </button>
  );
}
