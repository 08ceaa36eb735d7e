import * as photoQueries from '../../fleet/pictures/photo-queries.ts'
import { readPicture } from '../../fleet/pictures/picture.ts'
import { archivedPhoto } from './archive-format.ts'
import { readRecords } from './read-archive.ts'
import type { Ids, Restored, Restoring } from './restoring.ts'

/**
 * Brings photos of devices in. One of the same device and time is the same.
 * @throws Error for an image that is none.
 */
export async function restorePhotos(restoring: Restoring, devices: Ids): Promise<Restored> {
  const { db, organizationId, userId, isDryRun } = restoring
  const restored = { added: 0, known: 0 }
  for await (const [photo] of readRecords(restoring, 'device_photos', archivedPhoto, 1)) {
    const deviceId = photo && devices.get(photo.device)
    if (!photo || deviceId === undefined) continue
    const { caption, created_at: at } = photo
    const picture = readPhoto(photo.image)
    const thumbnail = photo.thumbnail === null ? undefined : readPhoto(photo.thumbnail)
    const isKnown = await photoQueries.isThere(db, organizationId, deviceId, at)
    restored[isKnown ? 'known' : 'added'] += 1
    if (isKnown || isDryRun) continue
    const values = { picture, thumbnail, caption, userId, at }
    await photoQueries.insert(db, organizationId, deviceId, values)
  }
  return restored
}

function readPhoto(text: string) {
  const picture = readPicture(Buffer.from(text, 'base64'))
  if ('fault' in picture) throw new Error(`A photo of a device: ${picture.fault}`)
  return picture
}
