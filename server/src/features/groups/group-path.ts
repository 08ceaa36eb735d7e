import { z } from 'zod'
import { type HttpError, notFound } from '../../http/errors.ts'
import { largestInteger } from '../../http/fields.ts'

/** The group id of a path. Text that can name no group becomes 0, the id of none. */
export const groupPath = z.object({
  group_id: z
    .string()
    .transform((text) => {
      const id = /^\d{1,10}$/.test(text) ? Number(text) : 0
      return id <= largestInteger ? id : 0
    })
    .meta({ examples: ['12'] }),
})

/** 404 for groups that are not there, and for those of other organizations. */
export function groupNotFound(): HttpError {
  return notFound('Group not found')
}
