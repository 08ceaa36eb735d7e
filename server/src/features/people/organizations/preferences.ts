import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { bodyLimits, type Caller } from '../../../http/endpoint.ts'
import { invalid, unauthenticated } from '../../../http/errors.ts'
import { type Moment, momentOf } from '../../../http/timestamps.ts'
import { endpoint } from '../../core-services.ts'
import { findPreferences, lockPreferences, savePreferences } from './organization-queries.ts'

/** A JSON object by key. What a key holds is the client's. */
export type Preferences = Record<string, unknown>

const preferences = z
  .record(z.string(), z.unknown())
  .meta({ examples: [{ density: 'dense', views: [{ name: 'Silent', search: { silent: 24 } }] }] })

const preferencesAnswer = z.object({ data: preferences })

/** @throws HttpError 422 beyond 64 kB. */
async function store(
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

function parse(text: string | undefined): Preferences {
  return text === undefined ? {} : JSON.parse(text)
}

export const showPreferences = endpoint({
  summary: "The user's preferences in the organization",
  answer: preferencesAnswer,
  async handle({ caller }, { db }) {
    return { data: parse(await findPreferences(db, caller.organizationId, caller.userId)) }
  },
})

export const changePreferences = endpoint({
  summary: "Replaces the named keys of the user's preferences; null removes a key",
  description:
    'Other keys stay, so several tabs and programs can each change their own. All together may' +
    ' have 64 kB.',
  body: preferences,
  answer: preferencesAnswer,
  change: 'untold',
  async handle({ body, caller }, { db, now }) {
    return db.transaction(async (tx) => {
      const former = parse(await lockPreferences(tx, caller.organizationId, caller.userId))
      const all = Object.entries({ ...former, ...body }).filter(([, value]) => value !== null)
      return store(tx, caller, Object.fromEntries(all), momentOf(now()))
    })
  },
})

export const replacePreferences = endpoint({
  summary: "Replaces all of the user's preferences in the organization",
  description: 'Any JSON object of at most 64 kB. Only the user reads it.',
  body: preferences,
  answer: preferencesAnswer,
  change: 'untold',
  async handle({ body, caller }, { db, now }) {
    return store(db, caller, body, momentOf(now()))
  },
})
