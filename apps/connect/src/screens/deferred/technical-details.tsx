import { useState, type ReactElement } from 'react';
import type { Problem } from '../../flow/flow-state.js';
import { useAnnounce } from '../../context/announcer.js';
import { useConnect } from '../../context/connect-context.js';

/** Details for support, collapsed by default. */
export function TechnicalDetails({ problem: { error, at } }: { problem: Problem }): ReactElement {
  const { state, texts } = useConnect();
  const announce = useAnnounce();
  const [isCopied, setCopied] = useState(false);
  const entries = [
    [texts.get('details_error'), error.error_id],
    [texts.get('details_request'), error.request_id],
    [texts.get('details_session'), state.view?.session_id ?? null],
    [texts.get('details_time'), at.toISOString()],
  ] as const;
  const known = entries.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]));
  const copy = async (): Promise<void> => {
    await writeToClipboard(known.map(({ label, value }) => `${label}: ${value}`).join('\n'));
    setCopied(true);
    announce(texts.get('details_copied'));
  };
  return (
    <details className="details">
      <summary>{texts.get('details_show')}</summary>
      <dl>
        {known.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd dir="ltr">{value}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className="text-button" onClick={() => void copy()}>
        {texts.get(isCopied ? 'details_copied' : 'details_copy')}
      </button>
    </details>
  );
}

/**
 * The frame has no clipboard permission (connect 8, allow=""), so the older API is the one that
 * works everywhere.
 */
async function writeToClipboard(text: string): Promise<void> {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) await navigator.clipboard.writeText(text).catch(() => undefined);
}
