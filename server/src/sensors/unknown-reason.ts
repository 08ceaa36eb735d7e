/** In place of the text of a reason that the maker has not published: what else is known stays. */
export function unknownReason(code: number): string {
  return `Unknown reason (${code})`
}

/** The same of a state. */
export function unknownState(code: number): string {
  return `Unknown state (${code})`
}
