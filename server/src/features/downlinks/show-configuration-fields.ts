import { z } from 'zod'
import { notFound } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import * as deviceQueries from '../fleet/inventory/device-queries.ts'
import { devicePath, readReference } from '../fleet/inventory/references.ts'
import { findCodecForm } from './codec-configuration.ts'
import { configurationSection, toConfigurationSections } from './configuration-fields-record.ts'

export const showConfigurationFields = endpoint({
  summary: 'The fields of the configuration form of a device as data',
  description:
    'The same fields as in the HTML of `GET /devices/{device_id}/configure/create`, for `POST /devices/{device_id}/configure`.',
  params: devicePath,
  answer: z.object({ data: z.object({ sections: z.array(configurationSection) }) }),
  failures: [404],
  async handle({ params, caller }, services) {
    const reference = readReference(params.device_id)
    const device = await deviceQueries.find(services.db, caller.organizationId, reference)
    if (!device) throw notFound('device not found')
    const codec = await findCodecForm(services, caller.organizationId, device.type_id)
    return { data: { sections: toConfigurationSections(device.type_id, codec) } }
  },
})
