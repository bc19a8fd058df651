import { z } from 'zod';

/**
 * The settings of an adapter as tables of Markdown: those of a configuration, then those of each
 * element of a setting that is a list, such as a bank. `describeSettings` and `asText` are those of
 * operator commands.
 */
export function settingsTables(settings, { describeSettings, asText }) {
  const own = describeSettings(settings).map((row) => ({
    ...row,
    name: `\`${row.name}\`${row.kind === 'secret' ? ' (secret)' : ''}`,
  }));
  const lists = Object.entries(propertiesOf(settings.public)).flatMap(([name, { items }]) =>
    items?.properties === undefined
      ? []
      : [table(`Setting of each of \`${name}\``, elementRows(items), asJson)],
  );
  return [table('Setting', own, asText), ...lists].join('\n');
}

function elementRows({ properties }) {
  return Object.entries(properties).map(([name, { description, default: preset }]) => ({
    name: `\`${name}\``,
    required: preset === undefined,
    default: preset ?? null,
    meaning: description ?? '',
  }));
}

/** Elements are written in a JSON file. */
const asJson = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

const propertiesOf = (schema) =>
  z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }).properties;

const table = (title, rows, asText) => `\
| ${title} | Default | Meaning |
|---|---|---|
${rows
  .map(({ name, required, default: preset, meaning }) => {
    const cell = required ? 'required' : preset === null ? '–' : `\`${asText(preset)}\``;
    return `| ${name} | ${cell} | ${meaning} |\n`;
  })
  .join('')}`;
