import { requiredText } from './fields.ts'

/** The name of a time zone in a body. */
export const timeZoneName = requiredText('time zone', 64).refine(isTimeZone, {
  error: 'The time zone must be the name of one, such as Europe/Lisbon.',
})

/** A name that the platform knows. An offset such as `+02:00` is none: it has no summer time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
