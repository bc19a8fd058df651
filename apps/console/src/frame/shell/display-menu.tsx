import { Button, Menu, useMantineColorScheme } from '@mantine/core';
import type { ReactElement } from 'react';
import { Icon, type IconName } from '../icons.js';
import { useZone } from '../preferences.js';
import { TEXTS } from '../texts.js';
import css from './shell.module.css';

const ZONES = { local: TEXTS.localTime, UTC: TEXTS.utc } as const;
const THEMES = { auto: TEXTS.themeSystem, light: TEXTS.themeLight, dark: TEXTS.themeDark } as const;

export function ZoneMenu(): ReactElement {
  const [zone, setZone] = useZone();
  return <Choice label={TEXTS.zone} icon="clock" names={ZONES} chosen={zone} choose={setZone} />;
}

export function ThemeMenu(): ReactElement {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const icon = colorScheme === 'dark' ? 'dark' : 'light';
  return (
    <Choice
      label={TEXTS.theme}
      icon={icon}
      names={THEMES}
      chosen={colorScheme}
      choose={setColorScheme}
    />
  );
}

/** One of a few, which a menu offers and its button names. */
function Choice<Name extends string>({
  label,
  icon,
  names,
  chosen,
  choose,
}: {
  label: string;
  icon: IconName;
  names: Record<Name, string>;
  chosen: Name;
  choose: (name: Name) => void;
}): ReactElement {
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <Button
          className={css.wide}
          variant="subtle"
          px={8}
          aria-label={`${label}: ${names[chosen]}`}
          title={`${label}: ${names[chosen]}`}
        >
          <Icon name={icon} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{label}</Menu.Label>
        <Menu.RadioGroup value={chosen} onChange={(name) => choose(name as Name)}>
          {(Object.keys(names) as Name[]).map((name) => (
            <Menu.RadioItem key={name} value={name} closeMenuOnClick>
              {names[name]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
