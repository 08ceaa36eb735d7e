/** Where a device or gateway of a file is, by the names of the API. */
export interface FilePlace {
  latitude: number
  longitude: number
  altitude?: number
}

const fault =
  'The latitude must be from -90 to 90, the longitude from -180 to 180 degrees, and the altitude in metres.'

/**
 * Reads the cells of a place: numbers with a point or, as spreadsheets of many countries write them, a
 * comma. Files say 0, 0 where nobody has entered a place.
 */
export function readPlace(cells: Record<keyof FilePlace, string>): {
  place?: FilePlace
  fault?: string
} {
  const numberOf = (text: string) => (text === '' ? undefined : Number(text.replace(',', '.')))
  const [latitude, longitude] = [numberOf(cells.latitude), numberOf(cells.longitude)]
  const altitude = numberOf(cells.altitude)
  const isNone = latitude === undefined && longitude === undefined && altitude === undefined
  if (isNone || (latitude === 0 && longitude === 0)) return {}
  const isHeight = altitude === undefined || Number.isFinite(altitude)
  if (latitude === undefined || longitude === undefined || !isHeight) return { fault }
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return { fault }
  return { place: { latitude, longitude, ...(altitude !== undefined && { altitude }) } }
}
