import type { Schemas } from '../api/generated.ts'
import { t } from '../languages/text.ts'
import { placeText } from './place-text.ts'

/** Where a device or a gateway is, as the API says it. */
export type Place = Pick<
  Schemas['FleetDevice'],
  'latitude' | 'longitude' | 'altitude' | 'place_source'
>

/** What a request says of a place. */
export interface NewPlace {
  latitude: number | null
  longitude: number | null
  altitude?: number | null
  place_source?: NonNullable<Place['place_source']>
}

const sources = {
  typed: t('entered by hand'),
  map: t('picked on the map'),
  phone: t('from the GPS of a phone'),
  network: t('as its network says'),
  sensor: t('as the device itself says'),
} as const

/** Whether a person has said the place: then it can be taken away. */
export function isSaid({ place_source }: Place): boolean {
  return place_source === 'typed' || place_source === 'map' || place_source === 'phone'
}

/** The place as a sentence part; undefined for none. */
export function wordsOfPlace(place: Place): string | undefined {
  const { latitude, longitude, altitude, place_source } = place
  if (latitude === null || longitude === null) return undefined
  const height = altitude === null ? '' : `, ${Math.round(altitude)} m`
  const source = place_source === null ? '' : `, ${sources[place_source]}`
  return `${placeText(latitude, longitude)}${height}${source}`
}
