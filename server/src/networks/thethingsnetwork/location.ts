import type { NetworkPlace } from '../network.ts'

/** A place as The Things Stack takes it, api/ttn/lorawan/v3/metadata.proto, `Location`. */
export function toLocation({ latitude, longitude, altitude }: NetworkPlace) {
  return {
    latitude,
    longitude,
    ...(altitude === null ? {} : { altitude: Math.round(altitude) }),
    source: 'SOURCE_REGISTRY',
  }
}

/** The member of a device that says its place: the location `user` is that of the registry. */
export function locationsOf(place: NetworkPlace | undefined) {
  return place ? { locations: { user: toLocation(place) } } : {}
}
