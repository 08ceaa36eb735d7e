/**
 * Tags that must all be there, as one text: `floor:2,critical`. A comma or a backslash within a tag
 * stands after a backslash.
 */

const oneTag = String.raw`(?:\\.|[^\\,])+`
const allTags = new RegExp(`^${oneTag}(?:,${oneTag})*$`, 's')
const eachTag = new RegExp(oneTag, 'gs')

/** Undefined for a text that is none. */
export function splitTags(text: string): string[] | undefined {
  if (text === '') return []
  if (!allTags.test(text)) return undefined
  return (text.match(eachTag) ?? []).map((tag) => tag.trimStart().replace(/\\(.)/gs, '$1'))
}

export function joinTags(tags: readonly string[]): string {
  return tags.map((tag) => tag.replace(/[\\,]/g, '\\$&')).join(',')
}

/** A tag of a filter: the key, and the value where it has to be that one. */
export function splitTag(tag: string): [key: string, value?: string] {
  const at = tag.indexOf(':')
  return at < 0 ? [tag] : [tag.slice(0, at), tag.slice(at + 1)]
}

/** Whether there is what a tag of a filter names. */
export function hasTag(tags: Readonly<Record<string, string>>, tag: string): boolean {
  const [key, value] = splitTag(tag)
  return Object.hasOwn(tags, key) && (value === undefined || tags[key] === value)
}

/** Whether there is all that a text of tags names, as rules and webhooks keep it. */
export function hasAllTags(tags: Readonly<Record<string, string>>, text: string): boolean {
  return (splitTags(text) ?? []).every((tag) => hasTag(tags, tag))
}
