import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import type { ReactElement } from 'react';
import { useZone } from '../preferences.js';
import { TEXTS } from '../texts.js';

/** The two switches of the top bar, where a phone has room for them. */
export function DisplayFields(): ReactElement {
  const [zone, setZone] = useZone();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <div role="group" aria-label={TEXTS.zone}>
        <p className="small muted">{TEXTS.zone}</p>
        <SegmentedControl
          fullWidth
          value={zone}
          onChange={setZone}
          aria-label={TEXTS.zone}
          data={[
            { value: 'local' as const, label: TEXTS.localTime },
            { value: 'UTC' as const, label: TEXTS.utc },
          ]}
        />
      </div>
      <div role="group" aria-label={TEXTS.theme}>
        <p className="small muted">{TEXTS.theme}</p>
        <SegmentedControl
          fullWidth
          value={colorScheme}
          onChange={setColorScheme}
          aria-label={TEXTS.theme}
          data={[
            { value: 'auto' as const, label: 'System' },
            { value: 'light' as const, label: TEXTS.themeLight },
            { value: 'dark' as const, label: TEXTS.themeDark },
          ]}
        />
      </div>
    </>
  );
}
