import { z } from 'zod'
import { type HttpError, notFound } from '../../http/errors.ts'
import { largestInteger } from '../../http/fields.ts'

/** The user id of a path. Text that can name no user becomes 0, the id of nobody. */
export const memberPath = z.object({
  user_id: z
    .string()
    .transform((text) => {
      const id = /^\d{1,10}$/.test(text) ? Number(text) : 0
      return id <= largestInteger ? id : 0
    })
    .meta({ examples: ['4'] }),
})

/** 404 for nobody, and for people who are not members of the organization. */
export function memberNotFound(): HttpError {
  return notFound('User not found')
}
