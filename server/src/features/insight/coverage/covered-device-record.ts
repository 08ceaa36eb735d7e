import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { readRange, rounded, toReadRange } from '../../../uplinks/read/heard-record.ts'
import type { CoveredDevice, listCoveredDevices } from './covered-device-queries.ts'

const mainGateway = z
  .object(
    withExamples(
      {
        gateway_eui: z.string(),
        id: z.int().nullable().meta({ description: 'Null where it is not registered here.' }),
        name: z.string().nullable(),
        uplinks: z.int(),
        rssi: z.number().nullable().meta({ description: 'The mean, in dBm.' }),
        snr: z.number().nullable().meta({ description: 'The mean, in dB.' }),
      },
      {
        gateway_eui: '00AA0000000000F1',
        id: 7,
        name: 'Roof',
        uplinks: 48,
        rssi: -97.4,
        snr: 6.2,
      },
    ),
  )
  .meta({ id: 'MainGateway' })

const coveredDevice = z
  .object({
    ...withExamples(
      {
        id: z.int(),
        device_eui: z.string(),
        name: z.string(),
        network: z.string(),
        last_heard: z.string(),
        uplinks: z.int(),
        gateways: z.int().meta({
          description: 'How many gateways heard it; 0 where its network does not name them.',
        }),
        single_uplinks: z.int().meta({ description: 'Uplinks that only one gateway heard.' }),
      },
      {
        id: 101,
        device_eui: '00AA000000000001',
        name: 'Front door',
        network: 'chirpstack',
        last_heard: '2026-03-01T11:59:07.000000Z',
        uplinks: 48,
        gateways: 1,
        single_uplinks: 48,
      },
    ),
    main_gateway: mainGateway.nullable().meta({ description: 'The one that heard the most.' }),
  })
  .meta({ id: 'CoveredDevice' })

export const coveredDevices = z.object({
  data: z.array(coveredDevice),
  total: z.int().meta({ examples: [1] }),
  read: readRange,
})

export function toCoveredDevices(
  found: Awaited<ReturnType<typeof listCoveredDevices>>,
): z.infer<typeof coveredDevices> {
  return {
    data: found.devices.map(toCoveredDevice),
    total: found.total,
    read: toReadRange(found.read),
  }
}

function toCoveredDevice(device: CoveredDevice): z.infer<typeof coveredDevice> {
  const { id, device_eui, name, network, uplinks, gateways, single_uplinks } = device
  const main = device.main_eui !== null && {
    gateway_eui: device.main_eui,
    id: device.main_id,
    name: device.main_name,
    uplinks: device.main_uplinks ?? 0,
    rssi: rounded(device.rssi),
    snr: rounded(device.snr),
  }
  const last_heard = isoTime(device.last_heard)
  return {
    id,
    device_eui,
    name,
    network,
    last_heard,
    uplinks,
    gateways,
    single_uplinks,
    main_gateway: main || null,
  }
}
