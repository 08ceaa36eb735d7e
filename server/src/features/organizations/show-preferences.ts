import { endpoint } from '../core-services.ts'
import { findPreferences } from './preference-queries.ts'
import { parse, preferencesAnswer } from './preference-record.ts'

export const showPreferences = endpoint({
  summary: "The user's preferences in the organization",
  answer: preferencesAnswer,
  async handle({ caller }, { db }) {
    return { data: parse(await findPreferences(db, caller.organizationId, caller.userId)) }
  },
})
