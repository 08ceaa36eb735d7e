import { compareNames } from '../ui/names.ts'

/** Texts by a key. An empty text makes a label. */
export type Tags = Readonly<Record<string, string>>

export const mostTags = 32

/** As people write it, and as filters of the API read it: `floor:2`, or `critical` for a label. */
function toText(key: string, value: string): string {
  return value === '' ? key : `${key}:${value}`
}

export function textsOf(tags: Tags): string[] {
  return Object.entries(tags)
    .map(([key, value]) => toText(key, value))
    .sort(compareNames)
}

/** Of two with the same key, the later one counts. Blanks around keys and values are none. */
export function tagsOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [key = '', ...value] = text.split(':')
      return [key.trim(), value.join(':').trim()]
    }),
  )
}
