import { addressOf, call } from '../api/client.ts'
import { keyOf, queryClient } from '../api/hooks.ts'
import { type PreparedPhoto, toBase64 } from './prepare-photo.ts'

/** Adds a photo to a device. With an id, sending it again adds it once. */
export async function sendPhoto(
  device: string,
  { image, thumbnail, id }: PreparedPhoto & { id?: string },
) {
  const body = { image: await toBase64(image), thumbnail: await toBase64(thumbnail) }
  await call(
    'POST /devices/{device_id}/photos',
    { path: { device_id: device }, body },
    { idempotencyKey: id },
  )
  await refreshPhotos(device)
}

export function refreshPhotos(device: string): Promise<void> {
  const queryKey = keyOf('GET /devices/{device_id}/photos', { path: { device_id: device } })
  return queryClient.invalidateQueries({ queryKey })
}

/** What the image of a photo is at; the thumbnail is small. */
export function addressOfPhoto(device: string, id: number, size: 'full' | 'thumbnail'): string {
  const path = { device_id: device, photo_id: id }
  return addressOf('GET /devices/{device_id}/photos/{photo_id}/image', path, { size })
}
