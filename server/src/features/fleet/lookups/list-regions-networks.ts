import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { regions } from '../../../lora/regions.ts'
import { networks } from '../../../networks/index.ts'
import { endpoint } from '../../core-services.ts'
import { networkImage } from './form-fields.ts'

const networkRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        name: z.string(),
        key: z.string(),
        is_lora: z.boolean(),
        register_methods: z.array(z.enum(['vendor', 'user_account'])),
        is_active: z.boolean(),
        image: z.string(),
      },
      {
        id: 10,
        name: 'ChirpStack v4',
        key: 'chirpstack',
        is_lora: true,
        register_methods: ['vendor', 'user_account'],
        is_active: true,
        image: 'https://console.example.com/images/networks/chirpstack.svg',
      },
    ),
  )
  .meta({ id: 'Network' })

/** The networks that devices can be registered on: those with an id. */
export const listRegionsNetworks = endpoint({
  summary: 'Regions and networks',
  answer: z.object({
    ...withExamples({ regions: z.array(z.enum(regions)) }, { regions: [...regions] }),
    networks: z.array(networkRecord),
  }),
  async handle(_parts, { publicUrl }) {
    return {
      regions: [...regions],
      networks: networks.flatMap(({ id, name, key, isLora }) =>
        id === undefined ? [] : [record({ id, name, key, isLora }, publicUrl)],
      ),
    }
  },
})

function record(
  network: { id: number; name: string; key: string; isLora: boolean },
  publicUrl: string,
): z.infer<typeof networkRecord> {
  return {
    id: network.id,
    name: network.name,
    key: network.key,
    is_lora: network.isLora,
    register_methods: ['vendor', 'user_account'],
    is_active: true,
    image: networkImage(publicUrl, network.key),
  }
}
