import { Option } from 'commander';

/** Its value is part of the record of operators: a name or a switch, never a setting, a secret or the id of a user. */
export class RecordedOption extends Option {}
