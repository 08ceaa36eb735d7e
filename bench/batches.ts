import type { Fleet } from './fleet.ts'

/** The largest batch (docs/contract.txt, 4.11). */
export const batchSize = 1000

/**
 * The body of a batch that creates the fleet's devices from number `first` on. Devices with
 * `consoleOnly` are not provisioned at a network; the others wait for their network.
 */
export function creations(
  { euiPrefix }: Pick<Fleet, 'euiPrefix'>,
  first: number,
  { consoleOnly }: { consoleOnly: boolean },
): string {
  const devices = Array.from({ length: batchSize }, (_, index) => ({
    action: 'create',
    deviceName: `Bench device ${first + index}`,
    deviceId: `${euiPrefix}${(first + index).toString(16).padStart(8, '0')}`,
    provisioningData: {
      network: 'chirpstack',
      registerMethod: 'vendor',
      deviceKey: '00112233445566778899AABBCCDDEEFF',
      deviceTypeId: 112,
      joinEui: '0000000000000000',
      appRegion: 'EU868',
      consoleOnly,
    },
  }))
  return JSON.stringify({ devices })
}
