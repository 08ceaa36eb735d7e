import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { changeOf } from '../../../http/change-record.ts'
import { bodyLimits, type Caller, type ImageAnswer } from '../../../http/endpoint.ts'
import { conflict, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { optionalText, pathId, queryChoice } from '../../../http/fields.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { endpoint } from '../../core-services.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import { imageField } from './image-field.ts'
import * as photoQueries from './photo-queries.ts'

const mostOfDevice = 10
const mostOwn = 5000
const mostOfTenant = 10_000
const mostBytes = 2 * 1024 * 1024
const mostThumbnailBytes = 64 * 1024

const full = {
  device: `The device has ${mostOfDevice} photos already. Delete one first.`,
  own: `The organization has ${mostOwn.toLocaleString('en-US')} photos already.`,
  tenant: `The organizations have ${mostOfTenant.toLocaleString('en-US')} photos together already.`,
}

const photo = z
  .object(
    withExamples(
      {
        id: z.int(),
        caption: z.string().nullable(),
        type: z.enum(['image/png', 'image/jpeg']),
        width: z.int().describe('In pixels, as the photo is shown.'),
        height: z.int(),
        bytes: z.int(),
        user_name: z.string().describe('Who added it.'),
        created_at: z.string(),
      },
      {
        id: 7,
        caption: 'Behind the left door of the cabinet',
        type: 'image/jpeg',
        width: 1200,
        height: 1600,
        bytes: 284_113,
        user_name: 'Ada Owner',
        created_at: '2026-03-01T12:00:00.000000Z',
      },
    ),
  )
  .meta({ id: 'DevicePhoto' })

function toPhoto({ created_at, type, ...stored }: photoQueries.StoredPhoto): z.infer<typeof photo> {
  const { id, caption, width, height, bytes, user_name } = stored
  return {
    ...{ id, caption, type: type === 'image/png' ? type : 'image/jpeg', width, height, bytes },
    ...{ user_name, created_at: isoTime(created_at) },
  }
}

const photoPath = devicePath.extend({ photo_id: pathId('7') })
const photoAnswer = z.object({ data: photo })
const photoNotFound = () => notFound('Photo not found')
const caption = optionalText('caption').describe('What it shows.')

async function findDevice(db: Queryable, { organizationId }: Caller, name: string) {
  const id = await photoQueries.findDevice(db, organizationId, readReference(name))
  if (id === undefined) throw notFound('device not found')
  return id
}

async function readPhoto(db: Queryable, caller: Caller, deviceId: number, id: number) {
  const [found] = await photoQueries.list(db, caller.organizationId, deviceId, id)
  if (!found) throw photoNotFound()
  return { data: toPhoto(found) }
}

export const listPhotos = endpoint({
  summary: 'The photos of a device, oldest first',
  params: devicePath,
  answer: z.object({ data: z.array(photo) }),
  failures: [404],
  async handle({ params, caller }, { db }) {
    const deviceId = await findDevice(db, caller, params.device_id)
    const photos = await photoQueries.list(db, caller.organizationId, deviceId)
    return { data: photos.map(toPhoto) }
  },
})

export const showPhotoImage = endpoint({
  summary: 'The picture of a photo, which never changes',
  params: photoPath,
  query: z.object({
    size: queryChoice('size', ['full', 'thumbnail'])
      .default('full')
      .describe('`thumbnail` is the small picture, if one was sent with the photo.'),
  }),
  failures: [404],
  produces: { type: 'image/*', example: '' },
  async handle({ params, query, caller }, { db }): Promise<ImageAnswer> {
    const deviceId = await findDevice(db, caller, params.device_id)
    const { photo_id: id } = params
    const isThumbnail = query.size === 'thumbnail'
    const wanted = { id, isThumbnail }
    const found = await photoQueries.findImage(db, caller.organizationId, deviceId, wanted)
    if (!found) throw photoNotFound()
    const { type, bytes, thumbnail } = found
    if (isThumbnail && thumbnail)
      return { type: 'image/jpeg', bytes: thumbnail, etag: `${id}-small` }
    return { type, bytes, etag: `${id}` }
  },
})

const thumbnail = imageField('thumbnail', mostThumbnailBytes, 'photos')
  .refine(({ type }) => type === 'image/jpeg', 'The thumbnail must be a JPEG file.')
  .describe('The same picture, small, for lists: JPEG in base64, up to 64 kB.')

/** One pixel. */
const examplePhoto =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=='

export const addPhoto = endpoint({
  summary: 'Add a photo to a device',
  description: `A device has up to ${mostOfDevice} photos, an organization ${mostOwn.toLocaleString('en-US')}. Place, time and all other data of the camera are taken out; a photo that was taken upright stays upright.`,
  params: devicePath,
  body: z.object(
    withExamples(
      { image: imageField('image', mostBytes, 'photos'), thumbnail: thumbnail.nullish(), caption },
      { image: examplePhoto as never, caption: 'Behind the left door of the cabinet' },
    ),
  ),
  bodyLimit: bodyLimits.batch,
  status: 201,
  answer: photoAnswer,
  failures: [404, 409],
  change: changeOf('device', 'given a photo'),
  async handle({ params, body, caller, record }, { db, now }) {
    const { organizationId, userId } = caller
    const deviceId = await findDevice(db, caller, params.device_id)
    return db.transaction(async (tx) => {
      const { ofDevice, own, ofTenant } = await photoQueries.countLocked(
        tx,
        organizationId,
        deviceId,
      )
      if (ofDevice >= mostOfDevice) throw conflict(full.device)
      if (own >= mostOwn) throw conflict(full.own)
      if (ofTenant >= mostOfTenant) throw conflict(full.tenant)
      const { image: picture } = body
      const values = { picture, thumbnail: body.thumbnail ?? undefined, userId, at: now() }
      const id = await photoQueries.insert(tx, organizationId, deviceId, {
        ...values,
        caption: body.caption || null,
      })
      await record(tx)
      return readPhoto(tx, caller, deviceId, id)
    })
  },
})

export const changePhoto = endpoint({
  summary: 'Change the caption of a photo',
  params: photoPath,
  body: z.object(withExamples({ caption }, { caption: 'The meter' })),
  answer: photoAnswer,
  failures: [404],
  change: changeOf('device', 'changed'),
  async handle({ params, body, caller, record }, { db }) {
    const deviceId = await findDevice(db, caller, params.device_id)
    const { photo_id: id } = params
    return db.transaction(async (tx) => {
      if (body.caption !== undefined) {
        const values = { id, caption: body.caption || null }
        const isThere = await photoQueries.setCaption(tx, caller.organizationId, deviceId, values)
        if (!isThere) throw photoNotFound()
        await record(tx)
      }
      return readPhoto(tx, caller, deviceId, id)
    })
  },
})

export const deletePhoto = endpoint({
  summary: 'Delete a photo of a device',
  params: photoPath,
  status: 204,
  failures: [404],
  change: changeOf('device', 'relieved of a photo'),
  async handle({ params, caller, record }, { db }) {
    const deviceId = await findDevice(db, caller, params.device_id)
    await db.transaction(async (tx) => {
      const { organizationId } = caller
      const wasThere = await photoQueries.remove(tx, organizationId, deviceId, params.photo_id)
      if (!wasThere) throw photoNotFound()
      await record(tx)
    })
  },
})
