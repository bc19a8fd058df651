import {
  Suspense,
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
} from 'react';
import { TextButton } from '../../controls/text-button.js';
import { search } from '../../icons/frame-shapes.js';
import { Icon } from '../../icons/icon.js';
import type { Institution } from '../../../../../packages/connect-protocol/src/view.js';
import { useAnnounce } from '../../context/announcer.js';
import { useConnect } from '../../context/connect-context.js';
import { Screen } from '../screen.js';
import { later } from '../later.js';
import { InstitutionOption, optionId } from './institution-option.js';
import { useInstitutionSearch } from './use-institution-search.js';

const InstitutionAlert = later('InstitutionAlert');
const NoBank = later('NoBank');

const FEATURED = 8;

/** Choosing a bank: featured ones first, then a list; typing anywhere goes to the field. */
export function Finder(): ReactElement {
  const { flow, state, texts, theme, names, device } = useConnect();
  const announce = useAnnounce();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState<string | null>(null);
  const [alertFor, setAlertFor] = useState<Institution | null>(null);
  const [showsRare, setShowsRare] = useState(false);
  const term = typed.trim();
  const { found, isSearching, more } = useInstitutionSearch(term);
  const shown = (found?.institutions ?? []).filter(
    ({ group }) => showsRare || group !== 'tertiary',
  );
  const tiles =
    found?.term === '' ? shown.filter(({ group }) => group === 'primary').slice(0, FEATURED) : [];
  const rows = shown.filter((institution) => !tiles.includes(institution));
  const order = [...tiles, ...rows];
  const isCurrent = found !== null && found.term === term && !isSearching;
  useTypeAnywhere(field);
  useEffect(() => {
    // A focused field opens the keyboard of a phone, which hides the banks.
    if (device === 'desktop') field.current?.focus({ preventScroll: true });
  }, [device]);
  useEffect(() => setActive(null), [term]);
  const count = shown.length;
  useEffect(() => {
    if (isCurrent && term !== '' && count > 0) announce(texts.get('finder_found', { count }));
  }, [isCurrent, term, count, announce, texts]);

  const choose = (institution: Institution): void => {
    if (institution.health === 'down') setAlertFor(institution);
    else flow.select(institution);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const index = order.findIndex(({ institution_id: id }) => id === active);
    if (event.key === 'ArrowDown') moveTo(event, Math.min(index + 1, order.length - 1));
    else if (event.key === 'ArrowUp') moveTo(event, Math.max(index - 1, 0));
    else if (event.key === 'Enter') {
      event.preventDefault();
      // Without a marked option, Enter selects the best match of what was typed, once it has
      // arrived.
      const chosen = order[index] ?? (isCurrent && term !== '' ? order[0] : undefined);
      if (chosen !== undefined) choose(chosen);
    }
  };
  const moveTo = (event: KeyboardEvent, index: number): void => {
    event.preventDefault();
    const next = order[index];
    if (next === undefined) return;
    setActive(next.institution_id);
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' });
  };
  const option = (institution: Institution, form: 'tile' | 'row'): ReactElement => (
    <InstitutionOption
      key={institution.institution_id}
      institution={institution}
      form={form}
      term={found?.term ?? ''}
      isActive={institution.institution_id === active}
      onChoose={() => choose(institution)}
      onPoint={() => setActive(institution.institution_id)}
    />
  );
  const clear = (): void => {
    setTyped('');
    field.current?.focus();
  };
  const hidden = (found?.institutions.length ?? 0) - count;
  const isEmpty = isCurrent && count === 0;
  const mayBeWithout = state.view?.features.connect_manually === true;
  if (alertFor !== null)
    return <InstitutionAlert institution={alertFor} onDismiss={() => setAlertFor(null)} />;
  return (
    <Screen
      className="finder"
      title={theme.texts.finder_title ?? texts.get('finder_title')}
      subtitle={theme.texts.finder_subtitle ?? texts.get('finder_subtitle', names)}
      institution={null}
      focus={device === 'desktop' ? 'own' : 'heading'}
      secondary={
        // The user who does not find a bank has a next step: rare ones, none, or back to the app.
        hidden > 0 ? (
          <TextButton onPress={() => setShowsRare(true)}>{texts.get('finder_missing')}</TextButton>
        ) : (
          mayBeWithout && (
            <TextButton onPress={() => flow.connectManually()}>
              {texts.get(showsRare || isEmpty ? 'finder_without' : 'finder_missing')}
            </TextButton>
          )
        )
      }
    >
      <div className="search">
        <Icon shape={search} size={18} />
        <input
          ref={field}
          className="input"
          type="search"
          role="combobox"
          aria-label={texts.get('finder_label')}
          aria-describedby="screen-title screen-subtitle"
          aria-expanded={order.length > 0}
          aria-controls="institutions"
          aria-autocomplete="list"
          aria-activedescendant={active === null ? undefined : `institution-${active}`}
          placeholder={theme.texts.search_placeholder ?? texts.get('finder_label')}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={100}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        className="found"
        role="listbox"
        id="institutions"
        aria-label={texts.get('finder_title')}
        aria-busy={isSearching}
      >
        {tiles.length > 0 && (
          <div className="tiles" role="group" aria-label={texts.get('finder_featured')}>
            {tiles.map((institution) => option(institution, 'tile'))}
          </div>
        )}
        {rows.map((institution) => option(institution, 'row'))}
      </div>
      {isEmpty && (
        <Suspense>
          <NoBank term={term} isLast={hidden === 0 && !mayBeWithout} onClear={clear} />
        </Suspense>
      )}
      {found?.next != null && <TextButton onPress={more}>{texts.get('finder_more')}</TextButton>}
    </Screen>
  );
}

function useTypeAnywhere(field: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKeyDown = ({
      key,
      target,
      ctrlKey,
      metaKey,
      altKey,
    }: globalThis.KeyboardEvent): void => {
      const isText = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;
      if (isText && !(target instanceof HTMLInputElement)) field.current?.focus();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [field]);
}
