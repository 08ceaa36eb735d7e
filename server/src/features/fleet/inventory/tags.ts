import { z } from 'zod'
import { isOneLine, isStorable, notOneLine } from '../../../http/fields.ts'
import { splitTag, splitTags } from '../../../lora/tag-filter.ts'

/** What their owners note of devices and gateways: texts by a key, such as `floor`: `2`. */
export type Tags = Record<string, string>

const mostTags = 32
const longestKey = 64
const longestValue = 256

const keyMessage = `Each key of the tags must be one line of 1 to ${longestKey} characters, without a colon and without blanks around it.`

const tagKey = z
  .string({ error: keyMessage })
  .regex(/^[^:]+$/, keyMessage)
  .max(longestKey, keyMessage)
  .refine((key) => key.trim() === key && isStorable(key) && isOneLine(key), keyMessage)

/** Says what is wrong with the tag that the path ends with. */
const ofTag =
  (sentence: (label: string) => string) => (issue: { path?: PropertyKey[] | undefined }) =>
    sentence(`tag ${String(issue.path?.at(-1))}`)

const tagValue = z
  .string({ error: ofTag((label) => `The ${label} must be a string.`) })
  .max(longestValue, {
    error: ofTag((label) => `The ${label} may not be greater than ${longestValue} characters.`),
  })
  .refine(isStorable, {
    error: ofTag((label) => `The ${label} contains a character that is not allowed.`),
    abort: true,
  })
  .refine(isOneLine, { error: ofTag(notOneLine) })

/** The tags of a request. They replace all that there were. */
export const tagsField = z
  .record(tagKey, tagValue, {
    error: ({ code }) =>
      code === 'invalid_key' ? keyMessage : 'The tags must be an object of texts.',
  })
  .refine(
    (tags) => Object.keys(tags).length <= mostTags,
    `The tags may not have more than ${mostTags} entries.`,
  )
  .meta({ maxProperties: mostTags, examples: [{ floor: '2' }] })

export const tagsInAnswer = z.record(z.string(), z.string())

/** Those of what a network has of its own that are tags here. The others are left out. */
export function usableTags(given: Readonly<Record<string, unknown>>): Tags {
  const usable = Object.entries(given).flatMap(([key, value]): [string, string][] => {
    const known = tagValue.safeParse(value).data
    return known !== undefined && tagKey.safeParse(key).success ? [[key, known]] : []
  })
  return Object.fromEntries(usable.slice(0, mostTags))
}

/** Tags in a file for spreadsheets. */
export function tagsCell(tags: Tags): string | null {
  return Object.keys(tags).length === 0 ? null : JSON.stringify(tags)
}

/** The keys of tags to take away. */
export const tagKeys = z
  .array(tagKey, { error: 'The tags to remove must be an array of keys.' })
  .max(mostTags, `The tags to remove may not have more than ${mostTags} entries.`)

/** Some tags more, then some less; undefined where they would be too many. */
export function changeTags(
  tags: Tags,
  {
    added = {},
    removed = [],
  }: { added?: Tags | undefined; removed?: readonly string[] | undefined },
): Tags | undefined {
  const entries = Object.entries({ ...tags, ...added }).filter(([key]) => !removed.includes(key))
  return entries.length > mostTags ? undefined : Object.fromEntries(entries)
}

export const tooManyTags = `A device may not have more than ${mostTags} tags.`

const filterMessage =
  'The tag must be keys, or keys and values, such as floor:2, separated by commas.'

/** Tags that what a list selects must all have. */
export type TagFilter = readonly string[]

export const tagList = z
  .string({ error: filterMessage })
  .refine(isFilter, { error: filterMessage, abort: true })
  .transform((text): TagFilter | undefined => (text === '' ? undefined : splitTags(text)))

export const tagFilter = tagList.optional().meta({
  type: 'string',
  description:
    'Tags that must all be there, by commas: keys, or keys and values, such as `floor:2,critical`. A comma or a backslash within a tag stands after a backslash.',
})

function isChoice(text: string): boolean {
  const [key, value = ''] = splitTag(text)
  return tagKey.safeParse(key).success && tagValue.safeParse(value).success
}

function isFilter(text: string): boolean {
  const choices = splitTags(text)
  return choices !== undefined && choices.length <= mostTags && choices.every(isChoice)
}

/** A filter for SQL: `tags @@ $1::jsonpath`. A scan of the organization's rows decides it, as other filters. */
export function tagPath(filter: TagFilter | undefined): string | null {
  if (filter === undefined) return null
  const conditions = filter.map((choice) => {
    const [key, value] = splitTag(choice)
    const member = `$.${JSON.stringify(key)}`
    return value === undefined ? `exists(${member})` : `${member} == ${JSON.stringify(value)}`
  })
  return conditions.join(' && ')
}

/**
 * What rules, webhooks, channels and keys keep: tags that must all be there, as a list takes them, in one text.
 * `''` selects everything.
 */
export const tagChoice = z.string({ error: filterMessage }).refine(isFilter, filterMessage).meta({
  description:
    'Tags that must all be there, by commas: keys, or keys and values, such as `floor:2,critical`.',
})

/** SQL: whether a column of tags has all that a stored choice names. Most name one, without an escape. */
export function havingTag(column: string, choice: string): string {
  const has = (tag: string) => `case when strpos(${tag}, ':') = 0 then ${column} ? ${tag}
    else ${column} ->> split_part(${tag}, ':', 1) = substr(${tag}, strpos(${tag}, ':') + 1)
    end`
  return String.raw`case when ${choice} !~ '[,\\]' then ${has(choice)} else not exists (
    select from regexp_matches(${choice}, '(?:\\.|[^\\,])+', 'g') as found (parts)
    cross join lateral (
      select regexp_replace(ltrim(found.parts[1]), '\\(.)', '\1', 'g') as tag
    ) as one
    where (${has('one.tag')}) is not true
  ) end`
}
