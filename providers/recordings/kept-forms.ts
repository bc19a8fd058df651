/** Forms of values that reveal nothing about a person. Shared by the rules of all adapters. */
export const CODE = /^[A-Za-z][A-Za-z_]{0,40}$/;
export const CURRENCY = /^[A-Z]{3}$/;
export const COUNTRY = /^[A-Z]{2}$/;
/** Days are kept: windows, order and posting times depend on them. */
export const TIME = /^\d{4}-\d{2}-\d{2}(T[\d:.]{5,18}(Z|[+-]\d{2}:?\d{2})?)?$/;
export const EPOCH_SECONDS = /^(0|1\d{9})$/;
