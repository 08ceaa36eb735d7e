/** What a network's texts may be, as data, as far as its documents or its source tell. */
export interface Limits {
  deviceName?: TextLimit
  gatewayName?: TextLimit
  gatewayDescription?: TextLimit
}

export interface TextLimit {
  /** In characters (code points of Unicode). */
  longest?: number
  /** Characters that the network does not take. */
  without?: string
}

/** Says what is wrong with a text that is to go to the network; `label` is how a person calls it. */
export function findLimitFault(
  { name, limits }: { name: string; limits?: Limits },
  field: keyof Limits,
  label: string,
  text: string,
): string | undefined {
  const { longest = Number.POSITIVE_INFINITY, without = '' } = limits?.[field] ?? {}
  const characters = [...text]
  if (characters.length > longest) {
    return `The ${label} may not be greater than ${longest} characters at ${name}.`
  }
  return characters.some((character) => without.includes(character))
    ? `The ${label} may not contain any of ${[...without].join(' ')} at ${name}.`
    : undefined
}
