/**
 * Removes what a field does not accept from the field itself: its state does not change when nothing
 * else was typed, so nothing would be rendered again.
 */
export function keepOnly(accepted: string, field: HTMLInputElement | HTMLTextAreaElement): void {
  if (field.value !== accepted) field.value = accepted;
}
