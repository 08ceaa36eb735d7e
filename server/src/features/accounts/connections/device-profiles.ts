import type { Network } from '../../../networks/network.ts'

/** Returns what is wrong with a chosen device profile at the network, or undefined. */
export function findProfileFault(
  { name, profileField, accountFields }: Network,
  profile: string | null | undefined,
): string | undefined {
  if (!profile) return undefined
  if (profileField === undefined) {
    return `${name} has no device profiles that could be chosen here.`
  }
  const field = accountFields.find((each) => each.name === profileField)
  return field?.check?.(profile, {})
}
