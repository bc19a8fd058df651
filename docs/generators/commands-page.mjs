import { Command } from 'commander';

/** docs/operating/commands.md, from the command objects of apps/operator. */
export async function commandsPage(groups, addCommand) {
  const nouns = await Promise.all(
    Object.entries(groups).map(async ([noun, { about, load }]) => [noun, about, await load()]),
  );
  return `# Operator commands

\`npm run -s operator -- <command>\`, or \`node dist/apps/operator/src/main.js <command>\` where the service is installed. They find the service
by \`DATABASE_URL\` and \`MASTER_KEYS\`, or in the data folder (\`DATA_DIR\`) of a running standalone.

- \`--json\` prints JSON, for programs, and a failure as \`{"error":{"cause":…}}\` on standard error; \`--help\` shows the same as this page.
- A command marked **recorded** changes data, or exports secrets. It is stored in \`operator_actions\` and
  logged as \`audit.command\` before its first action, and again with its outcome ([logs](logs.md)). \`--by NAME\` before the command
  names the operator.

This page is generated from \`apps/operator/src/commands/\` by \`npm run docs\`.
${nouns
  .map(
    ([noun, about, operators]) => `
## ${capitalized(noun)}
${about === undefined ? '' : `\n${capitalized(about)}.\n`}
${operators.map((operator) => commandEntry(addCommand(new Command(), operator, {}), operator)).join('\n')}`,
  )
  .join('')}`;
}

function commandEntry(command, { name, help, examples, recorded }) {
  const values = [
    ...command.registeredArguments.flatMap((argument) =>
      argument.description === '' ? [] : [[argument.name(), argument.description]],
    ),
    ...command.options.flatMap((option) =>
      option.long === '--json' ? [] : [[option.flags, `${option.description}${remarkOn(option)}`]],
    ),
  ];
  const placed = command.registeredArguments.map(
    (argument) =>
      `${argument.required ? '<' : '['}${argument.name()}${argument.variadic ? '...' : ''}${argument.required ? '>' : ']'}`,
  );
  return `\
### \`${[name, ...placed].join(' ')}\`

${capitalized(help)}.${recorded ? ' **Recorded.**' : ''}
${values.length === 0 ? '' : `\n${values.map(([value, meaning]) => `- \`${value}\`: ${meaning}\n`).join('')}`}${exampleOf(name, examples)}`;
}

/** One that only repeats the name explains nothing. */
function exampleOf(name, examples) {
  const shown = examples.filter((line) => line !== name).map((line) => `\`${line}\``);
  return shown.length === 0 ? '' : `\nFor example ${shown.join(', or ')}.\n`;
}

function remarkOn({ mandatory, defaultValue, defaultValueDescription: shown = defaultValue }) {
  if (mandatory) return ' (required)';
  return defaultValue === undefined || String(defaultValue) === ''
    ? ''
    : ` (default: \`${shown}\`)`;
}

const capitalized = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
