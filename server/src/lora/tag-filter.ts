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
