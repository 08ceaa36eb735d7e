import type { Reading, ReadingValue } from './sensor.ts'

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** `decoded_message` of the API: HTML whose only tag is `<br>`. */
export function renderMessage(reading: Reading): string {
  return escapeHtml(reading.lines.join('\n')).replaceAll('\n', '<br>')
}

/** `decoded_object` of the API. */
export function renderObject(reading: Reading): Record<string, ReadingValue> {
  return { eventDescription: reading.description, ...reading.values }
}

/** Escapes text for use between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
