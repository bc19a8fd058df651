import { Button, useMantineColorScheme } from '@mantine/core';
import type { ReactElement } from 'react';
import { Menu } from '../menu/menu.js';
import { MenuChoice, MenuGroup } from '../menu/menu-items.js';
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
    <Menu
      name={label}
      align="end"
      width={200}
      button={(props) => (
        <Button
          className={css.wide}
          variant="subtle"
          px={8}
          aria-label={`${label}: ${names[chosen]}`}
          title={`${label}: ${names[chosen]}`}
          {...props}
        >
          <Icon name={icon} />
        </Button>
      )}
    >
      <MenuGroup name={label}>
        {(Object.keys(names) as Name[]).map((name) => (
          <MenuChoice
            key={name}
            kind="radio"
            isChecked={name === chosen}
            onClick={() => choose(name)}
          >
            {names[name]}
          </MenuChoice>
        ))}
      </MenuGroup>
    </Menu>
  );
}
