import { z } from 'zod'
import { type HttpError, notFound } from '../../http/errors.ts'
import { largestInteger } from '../../http/fields.ts'

/** The id of a path. Text that can name no device type becomes 0, the id of none. */
export const deviceTypePath = z.object({
  id: z
    .string()
    .transform((text) => {
      const id = /^\d{1,10}$/.test(text) ? Number(text) : 0
      return id <= largestInteger ? id : 0
    })
    .meta({ examples: ['1004'] }),
})

/** 404 for types that are not there, that are built in, and those of other organizations. */
export function deviceTypeNotFound(): HttpError {
  return notFound('Device type not found')
}
