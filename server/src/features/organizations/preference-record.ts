import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { bodyLimits, type Caller } from '../../http/endpoint.ts'
import { invalid, unauthenticated } from '../../http/errors.ts'
import type { Moment } from '../../http/timestamps.ts'
import { savePreferences } from './preference-queries.ts'

/** A JSON object by key. What a key holds is the client's. */
export type Preferences = Record<string, unknown>

export const preferences = z
  .record(z.string(), z.unknown())
  .meta({ examples: [{ density: 'dense', views: [{ name: 'Silent', search: { silent: 24 } }] }] })

export const preferencesAnswer = z.object({ data: preferences })

/** @throws HttpError 422 beyond 64 kB. */
export async function store(
  db: Queryable,
  { organizationId, userId }: Caller,
  all: Preferences,
  now: Moment,
): Promise<z.infer<typeof preferencesAnswer>> {
  const text = JSON.stringify(all)
  if (Buffer.byteLength(text) > bodyLimits.usual) {
    throw invalid({ body: ['The preferences may not be greater than 64 kB.'] })
  }
  if (!(await savePreferences(db, organizationId, userId, text, now))) throw unauthenticated()
  return { data: all }
}

export function parse(text: string | undefined): Preferences {
  return text === undefined ? {} : JSON.parse(text)
}
