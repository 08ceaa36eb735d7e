/**
 * What is entered in forms and not saved yet: kept in this tab, and without keys and passwords, until
 * the user logs out.
 */

const prefix = 'draft'
/** Members with such names are never stored. */
const secretName = /password|secret|token|.key$/i

/** `secrets` names members that are not stored although their names do not say so. */
export function openDraft<T extends object>(name: string, blank: T, secrets: readonly string[]) {
  const place = `${prefix} ${name}`
  const isSecret = (member: string) => secretName.test(member) || secrets.includes(member)
  const textOf = (entered: T) =>
    JSON.stringify(entered, (member, value) => (isSecret(member) ? '' : value))
  let saved = textOf(blank)
  let last = saved
  return {
    start: read(place, blank) ?? blank,
    blank,
    keep: (entered: T) => {
      last = textOf(entered)
      if (last === saved) sessionStorage.removeItem(place)
      else store(place, last)
    },
    forget: () => {
      saved = last
      sessionStorage.removeItem(place)
    },
  }
}

/** What another version has stored is none, unless it has the members of the form. */
function read<T extends object>(place: string, blank: T): T | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(place) ?? 'null')
    const isEntry = typeof value === 'object' && value !== null
    // JSON leaves out members without a value.
    const expected = Object.entries(blank).filter(([, empty]) => empty !== undefined)
    return isEntry && expected.every(([name]) => name in value) ? (value as T) : undefined
  } catch {
    return undefined
  }
}

/** What is too large for the browser is not kept. */
function store(place: string, text: string): void {
  try {
    sessionStorage.setItem(place, text)
  } catch {
    sessionStorage.removeItem(place)
  }
}

export function forgetDrafts(): void {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(`${prefix} `)) sessionStorage.removeItem(name)
  }
}
