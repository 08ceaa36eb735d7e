import { NetworkError } from '../../networks/network-error.ts'
import type { Source } from './source.ts'
import type { SourceGateway } from './source-gateway.ts'

interface Reading {
  /** Whether gateways are wanted at all. */
  isWanted: boolean
  tell(line: string): void
}

/**
 * Reads the gateways of a source. If a key may see only devices, the gateways are left out, with
 * the reason.
 * @throws NetworkError that is about more than rights
 */
export async function readIfAllowed(
  read: () => Promise<SourceGateway[]>,
  { isWanted, tell }: Reading,
): Promise<Pick<Source, 'gateways' | 'gatewaysLeftOut'>> {
  if (!isWanted) return { gateways: [] }
  try {
    const gateways = await read()
    if (gateways.length > 0) tell(`Gateways: ${gateways.length}.`)
    return { gateways }
  } catch (error) {
    if (!isDenied(error)) throw error
    tell(`Gateways are left out. ${error.message}`)
    return { gateways: [], gatewaysLeftOut: error.message }
  }
}

/** Whether the network refuses the call to this key. */
export function isDenied(error: unknown): error is NetworkError {
  return error instanceof NetworkError && ['refused', 'unauthorized'].includes(error.kind)
}
