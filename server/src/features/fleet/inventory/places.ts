import { z } from 'zod'
import type { FieldErrors } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'

/**
 * Where a device or a gateway is, and who says so: a person (`typed`, picked on the `map`, from the GPS
 * of a `phone`), its `network`, or the `sensor` itself.
 */
export const placeSources = ['typed', 'map', 'phone', 'network', 'sensor'] as const
type PlaceSource = (typeof placeSources)[number]

/** Degrees of WGS 84, and metres above the sea. */
export interface Place {
  latitude: number
  longitude: number
  altitude: number | null
  source: PlaceSource
}

const [lowest, highest] = [-1000, 20_000]
const altitudeSentence = `The altitude must be a number of metres from ${lowest} to ${highest}.`
const sourceSentence = `The place source must be one of: ${placeSources.join(', ')}.`

/** A number of degrees of a request. */
export function degrees(label: string, most: number) {
  const sentence = `The ${label} must be a number of degrees from -${most} to ${most}.`
  return z.number({ error: sentence }).min(-most, sentence).max(most, sentence)
}

/** The members of a request that say a place; `latitude` and `longitude` of null take it away. */
export const placeFields = {
  latitude: degrees('latitude', 90)
    .nullish()
    .meta({ description: 'In degrees, with `longitude`; both null remove the place.' }),
  longitude: degrees('longitude', 180).nullish(),
  altitude: z
    .number({ error: altitudeSentence })
    .min(lowest, altitudeSentence)
    .max(highest, altitudeSentence)
    .nullish()
    .meta({ description: 'In metres above the sea.' }),
  place_source: z
    .enum(placeSources, { error: sourceSentence })
    .nullish()
    .meta({ description: 'Who says so; `typed` if left out.' }),
}

export type PlaceFields = {
  [Name in keyof typeof placeFields]?: z.infer<(typeof placeFields)[Name]>
}

export const placeMembers = Object.keys(placeFields) as (keyof PlaceFields)[]

/** Whether a request says anything of the place. */
export function saysPlace(body: Record<string, unknown>): boolean {
  return placeMembers.some((name) => body[name] !== undefined)
}

export const nowhere =
  'The latitude and longitude may not both be 0: that is what is sent where the place is unknown.'

/** What is wrong with members that are right by themselves. */
export function findPlaceFaults(fields: PlaceFields): FieldErrors {
  const { latitude, longitude } = fields
  const [isNorth, isEast] = [typeof latitude === 'number', typeof longitude === 'number']
  if (isNorth && !isEast) return { longitude: ['The longitude is required with a latitude.'] }
  if (isEast && !isNorth) return { latitude: ['The latitude is required with a longitude.'] }
  if (latitude === 0 && longitude === 0) return { latitude: [nowhere] }
  const isBare = !isNorth && (fields.altitude ?? fields.place_source ?? null) !== null
  return isBare
    ? { latitude: ['The latitude and longitude are required with the rest of a place.'] }
    : {}
}

/** Checks an object with these members. */
export function checkPlace(fields: PlaceFields, context: z.RefinementCtx): void {
  for (const [name, [message]] of Object.entries(findPlaceFaults(fields))) {
    context.addIssue({ code: 'custom', path: [name], message })
  }
}

/** The place that checked members say: null for none any more, undefined if they say nothing. */
export function toPlace(fields: PlaceFields): Place | null | undefined {
  const { latitude, longitude, altitude, place_source: source } = fields
  if (latitude === undefined && longitude === undefined) return undefined
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null
  return { latitude, longitude, altitude: altitude ?? null, source: source ?? 'typed' }
}

/** SQL: the columns of a place, and their values from a `place` that is JSON. */
export const placeColumns = 'latitude, longitude, altitude, place_source'
export const placeOfJson = `(place->>'latitude')::double precision, (place->>'longitude')::double precision,
  (place->>'altitude')::double precision, place->>'source'`

/** SQL: sets the columns of a place where `given."hasPlace"`. */
export function setPlace(table: string): string {
  const fromJson = (name: string, type: string) => `(given.place->>'${name}')::${type}`
  const columns = [
    ['latitude', fromJson('latitude', 'double precision')],
    ['longitude', fromJson('longitude', 'double precision')],
    ['altitude', fromJson('altitude', 'double precision')],
    ['place_source', fromJson('source', 'text')],
  ] as const
  return columns
    .map(
      ([column, value]) =>
        `${column} = case when given."hasPlace" then ${value} else ${table}.${column} end`,
    )
    .join(', ')
}

/** SQL: where a person says that a device or gateway is, as its network takes it. */
export function saidPlace(table: string): string {
  return `case when ${table}.place_source in ('typed', 'map', 'phone') then jsonb_build_object(
      'latitude', ${table}.latitude, 'longitude', ${table}.longitude, 'altitude', ${table}.altitude
    ) end`
}

/** What the row of a device or gateway says of its place. */
export interface PlaceRow {
  latitude: number | null
  longitude: number | null
  altitude: number | null
  place_source: PlaceSource | null
}

/** As its sensor or network tells it by itself. */
export interface ToldPlace {
  latitude: number
  longitude: number
  altitude?: number | null | undefined
}

/** What a person says wins over what the sensor or the network tells. */
const ofPeople: readonly (PlaceSource | null)[] = ['typed', 'map', 'phone']

export const placeInAnswer = withExamples(
  {
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    altitude: z.number().nullable(),
    place_source: z.enum(placeSources).nullable(),
  },
  { latitude: 48.137, longitude: 11.575, altitude: null, place_source: 'typed' },
)

/** Where a device or gateway is, of what its row says and what it tells by itself. */
export function placeOf(
  row: PlaceRow,
  told: (ToldPlace & { source: 'network' | 'sensor' }) | undefined,
): PlaceRow {
  const { latitude, longitude, altitude, place_source } = row
  if (told && !ofPeople.includes(place_source)) {
    const { source, altitude: height = null, ...place } = told
    return { ...place, altitude: height, place_source: source }
  }
  return { latitude, longitude, altitude, place_source }
}
