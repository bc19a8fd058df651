import { useEffect, useId, useState, type ReactElement, type ReactNode } from 'react';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useAddress } from '../../frame/address.js';
import { Icon } from '../../frame/icons.js';
import { useZone } from '../../frame/preferences.js';
import { Menu } from '../../frame/menu/menu.js';
import { MenuChoice } from '../../frame/menu/menu-items.js';
import { chosenColumns, withColumn } from '../table/chosen-columns.js';
import type { Column } from '../table/table.js';
import { TEXTS } from '../texts.js';
import { fromInput, toInput } from '../time/format-time.js';
import { parseTime } from '../time/parse-time.js';
import classes from './filter-bar.module.css';

/** A filter of a list, by its name in the address, which is the one of the API. */
export type Filter =
  | { name: string; label: string; kind: 'text' }
  | { name: string; label: string; kind: 'time' }
  | {
      name: string;
      label: string;
      kind: 'choice';
      choices: readonly (readonly [string, string])[];
    };

/** The filters of an address that have a value. */
export function filtersInUse(
  filters: readonly Filter[],
  value: (name: string) => string,
): readonly Filter[] {
  return filters.filter(({ name }) => value(name) !== '');
}

/** Filters of a list; each change is in the address at once, and the list begins again. */
export function FilterBar({
  filters,
  order,
  columns,
  children,
}: {
  filters: readonly Filter[];
  /** The orders of the API. */
  order?: ReactNode;
  columns?: readonly Column<never>[];
  children?: ReactNode;
}): ReactElement {
  const { value, change } = useAddress();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const used = filtersInUse(filters, value).length;
  return (
    <div className={classes.bar}>
      <Button
        className={classes.toggle}
        variant="default"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {used === 0 ? TEXTS.filters : `${TEXTS.filters} · ${used}`}
      </Button>
      <div className={classes.filters} id={id} data-open={isOpen || undefined}>
        {filters.map((filter) => (
          <FilterField key={filter.name} filter={filter} />
        ))}
        {order}
      </div>
      <div className={classes.more}>
        {used > 0 && (
          <Button
            variant="subtle"
            onClick={() =>
              change({
                ...Object.fromEntries(filters.map(({ name }) => [name, undefined])),
                cursor: undefined,
                before: undefined,
              })
            }
          >
            {TEXTS.clear}
          </Button>
        )}
        {columns !== undefined && <ColumnChoice columns={columns} />}
        {children}
      </div>
    </div>
  );
}

function FilterField({ filter }: { filter: Filter }): ReactElement {
  const { value, change } = useAddress();
  const current = value(filter.name);
  const set = (next: string): void => {
    if (next !== current)
      change({ [filter.name]: next || undefined, cursor: undefined, before: undefined });
  };
  switch (filter.kind) {
    case 'choice':
      return (
        <NativeSelect
          label={filter.label}
          value={current}
          data={[
            { value: '', label: 'All' },
            ...filter.choices.map(([option, label]) => ({ value: option, label })),
          ]}
          onChange={(event) => set(event.currentTarget.value)}
        />
      );
    case 'text':
      return <TextFilter label={filter.label} current={current} onSet={set} />;
    case 'time':
      return <TimeFilter label={filter.label} current={current} onSet={set} />;
  }
}

interface FieldProps {
  label: string;
  current: string;
  onSet: (value: string) => void;
}

/** Its value counts once it is complete: with Enter, or when the field is left. */
function TextFilter({ label, current, onSet }: FieldProps): ReactElement {
  const [text, setText] = useState(current);
  useEffect(() => setText(current), [current]);
  return (
    <TextInput
      label={label}
      value={text}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => onSet(text.trim())}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onSet(text.trim());
      }}
    />
  );
}

/** The address has UTC; the field has the zone of the screen. */
function TimeFilter({ label, current, onSet }: FieldProps): ReactElement {
  const [zone] = useZone();
  const at = parseTime(current);
  const shown = at === null ? '' : toInput(at, zone);
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const commit = (): void => {
    if (text !== shown) onSet(fromInput(text, zone) ?? '');
  };
  return (
    <TextInput
      label={`${label} (${zone === 'UTC' ? 'UTC' : 'local'})`}
      type="datetime-local"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
      }}
    />
  );
}

/** The order of a list, as the API has it. */
export function OrderField({ fallback }: { fallback: 'asc' | 'desc' }): ReactElement {
  const { value, change } = useAddress();
  return (
    <NativeSelect
      label="Order"
      value={value('order') || fallback}
      data={[
        { value: 'desc', label: 'Newest first' },
        { value: 'asc', label: 'Oldest first' },
      ]}
      onChange={({ currentTarget }) =>
        change({
          order: currentTarget.value === fallback ? undefined : currentTarget.value,
          cursor: undefined,
          before: undefined,
        })
      }
    />
  );
}

function ColumnChoice({ columns }: { columns: readonly Column<never>[] }): ReactElement {
  const { value, change } = useAddress();
  const cols = value('cols') || undefined;
  const shown = new Set(chosenColumns(columns, cols).map(({ id }) => id));
  return (
    <Menu
      name={TEXTS.columns}
      align="end"
      button={(props) => (
        <Button
          className={classes.columns}
          variant="default"
          rightSection={<Icon name="down" size={16} />}
          {...props}
        >
          {TEXTS.columns}
        </Button>
      )}
    >
      {columns
        .filter(({ isFixed }) => isFixed !== true)
        .map(({ id, title }) => (
          <MenuChoice
            key={id}
            kind="checkbox"
            isChecked={shown.has(id)}
            onClick={() => change({ cols: withColumn(columns, cols, id) })}
          >
            {title}
          </MenuChoice>
        ))}
    </Menu>
  );
}
