import { escapeHtml } from '../../http/html-page.js';

/** Text with code in backticks. */
export function inline(markdown: string): string {
  return escapeHtml(markdown).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

/** A description: paragraphs, and code in backticks. */
export function prose(markdown: string): string {
  return markdown
    .split('\n\n')
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('');
}
