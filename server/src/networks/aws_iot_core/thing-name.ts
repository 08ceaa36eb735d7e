/** AttributeValue of the AWS IoT API reference: neither spaces nor letters beyond ASCII. */
const longestValue = 800

/**
 * The name of a device as the attribute of a thing can hold it: `Back#20door`. What may not stand in
 * it is written as in a URL, with `#` in place of the percent sign; too long a name is cut.
 */
export function toAttribute(name: string): string {
  let value = ''
  for (const character of name) {
    const isAllowed = /^[\w.,@/:=-]$/.test(character)
    const digits = Buffer.from(character).toString('hex').toUpperCase()
    const next = isAllowed ? character : digits.replace(/../g, '#$&')
    if (value.length + next.length > longestValue) break
    value += next
  }
  return value
}

export function fromAttribute(value: string): string {
  try {
    return decodeURIComponent(value.replace(/#(?=[0-9A-F]{2})/g, '%'))
  } catch {
    return value
  }
}
