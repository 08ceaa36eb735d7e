import { z } from 'zod'
import { type HttpError, notFound } from '../../http/errors.ts'
import { largestInteger } from '../../http/fields.ts'

/** The id of a path. Text that can name no invitation becomes 0, the id of none. */
export const invitationPath = z.object({
  id: z
    .string()
    .transform((text) => {
      const id = /^\d{1,10}$/.test(text) ? Number(text) : 0
      return id <= largestInteger ? id : 0
    })
    .meta({ examples: ['9'] }),
})

/** 404 for one that is none, is somebody else's, has been answered, or does not stand any more. */
export function invitationNotFound(): HttpError {
  return notFound('Invitation not found')
}
