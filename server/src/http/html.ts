/** Headers of an HTML page whose browser may load only what the `allowed` directives name. */
export function pageHeaders(...allowed: readonly string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    ...allowed,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
  }
}

/** The beginning of all links of a page. Without a host, so that they work under any host name. */
export function pathPrefixOf(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '')
}

const markup = Symbol('markup')

/**
 * HTML that is safe to send. Only the tag `html` makes it, and escapes all values except other
 * `Html`. Attribute values must stand in double quotes.
 */
export interface Html {
  readonly [markup]: string
}

/** Values of a template: text, which is escaped, and pieces of HTML; `false` is left out. */
type HtmlValue = string | number | false | Html | readonly Html[]

export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const parts = strings.map((text, index) => text + toMarkup(values[index] ?? false))
  return { [markup]: parts.join('') }
}

/** Lines of text as HTML whose only tag is `<br>`. */
export function htmlLines(texts: readonly string[]): string {
  return texts.map((text) => escapeHtml(text).replaceAll(/\r\n|\r|\n/g, '<br>')).join('<br>')
}

export function markupOf(piece: Html): string {
  return piece[markup]
}

function toMarkup(value: HtmlValue): string {
  if (value === false) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  return 'length' in value ? value.map(markupOf).join('') : value[markup]
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
