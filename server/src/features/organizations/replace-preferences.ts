import { momentOf } from '../../http/timestamps.ts'
import { endpoint } from '../core-services.ts'
import { preferences, preferencesAnswer, store } from './preference-record.ts'

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
