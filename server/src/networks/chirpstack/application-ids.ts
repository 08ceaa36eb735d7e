import type { AccountValues } from '../network.ts'

/** The ids of a list, in lower case. */
export function readIds(text: string): string[] {
  return text
    .toLowerCase()
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
}

/** The applications whose devices are the account's; new devices go to the first. */
export function applicationIds(values: AccountValues): string[] {
  const { application_id: first = '', more_application_ids: others = '' } = values
  return [...new Set([first.toLowerCase(), ...readIds(others)])]
}
