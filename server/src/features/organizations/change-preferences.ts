import { momentOf } from '../../http/timestamps.ts'
import { endpoint } from '../core-services.ts'
import { lockPreferences } from './preference-queries.ts'
import { parse, preferences, preferencesAnswer, store } from './preference-record.ts'

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
