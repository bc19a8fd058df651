/** A command that finds the service by its data folder, if that is not the default one. */
export const inDataFolder = (folder: string, command: string): string =>
  folder === '.tributary' ? command : `DATA_DIR=${shellWord(folder)} ${command}`;

const shellWord = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
