import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import { toEui } from '../../lora/eui.ts'
import { readReceptions, type StoredReceptions } from '../rows/receptions.ts'

/** A gateway that heard an uplink, in answers of the API. */
export const receptionRecord = z.object({
  ...withExamples(
    {
      gateway_eui: z.string().nullable().describe('Null if the network reports none.'),
      rssi: z.number().nullable(),
      snr: z.number().nullable(),
      lat: z.number().optional(),
      lng: z.number().optional(),
    },
    { gateway_eui: '00AA0000000000F1', rssi: -36, snr: 10.5, lat: 52.25, lng: 4.875 },
  ),
  id: z
    .string()
    .optional()
    .describe('The name that the network has for the gateway, if it reports no EUI.'),
})

export function toReceptionRecords(row: StoredReceptions): z.infer<typeof receptionRecord>[] {
  return readReceptions(row).map(({ gateway_eui: named, rssi = null, snr = null, ...place }) => {
    const isEui = toEui(named) !== undefined
    return {
      gateway_eui: isEui ? named : null,
      ...(isEui || named === '' ? {} : { id: named }),
      ...{ rssi, snr },
      ...place,
    }
  })
}
