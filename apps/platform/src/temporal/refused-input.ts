/** What a workflow gets in place of input that its worker refuses. Part of the workflow bundle. */
export const REFUSED_INPUT = 'input refused by the payload codec';
