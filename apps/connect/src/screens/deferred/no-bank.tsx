import { useEffect, type ReactElement } from 'react';
import { TextButton } from '../../controls/text-button.js';
import { useAnnounce } from '../../context/announcer.js';
import { useConnect } from '../../context/connect-context.js';
import { withEmphasis } from '../../texts/with-emphasis.js';

/** In place of the list of banks: a search without a result, or an app without banks. */
export function NoBank({
  term,
  isLast,
  onClear,
}: {
  term: string;
  /** The screen has no other next step. */
  isLast: boolean;
  onClear: () => void;
}): ReactElement {
  const { flow, texts, names, hostKind } = useConnect();
  const announce = useAnnounce();
  useEffect(
    () =>
      announce(
        term === '' ? texts.get('finder_none_at_all') : texts.get('finder_none', { query: term }),
      ),
    [announce, texts, term],
  );
  return (
    <div className="empty">
      {term === '' ? (
        <p>{texts.get('finder_none_at_all')}</p>
      ) : (
        <>
          <p>{withEmphasis(texts.parts('finder_none', { query: term }), 'query')}</p>
          <p>{texts.get('finder_none_hint')}</p>
          <TextButton onPress={onClear}>{texts.get('finder_clear')}</TextButton>
        </>
      )}
      {isLast && (
        <p>
          <TextButton onPress={() => flow.leave({ ask: 'whenAccepted' })}>
            {hostKind === 'page' ? texts.get('close') : texts.get('back_to_app', names)}
          </TextButton>
        </p>
      )}
    </div>
  );
}
