import { notFound } from '../../http/errors.ts'
import { markupOf } from '../../http/html.ts'
import { endpoint } from '../core-services.ts'
import * as deviceQueries from '../inventory/device-queries.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import { findCodecForm } from './codec-configuration.ts'
import { configurationForm, issueFormToken } from './configuration-form.ts'

export const showConfigurationForm = endpoint({
  summary: 'The configuration form of a device as an HTML fragment',
  params: devicePath,
  produces: {
    type: 'text/html; charset=utf-8',
    example:
      '<form class="device-configuration" method="post" aria-label="Configuration of Front door"> … </form>\n',
  },
  failures: [404],
  async handle({ params, caller }, services) {
    const { db, sealer, now } = services
    const reference = readReference(params.device_id)
    const device = await deviceQueries.find(db, caller.organizationId, reference)
    if (!device) throw notFound('device not found')
    const token = issueFormToken(sealer, { session: caller, deviceId: device.id, now: now() })
    const form = configurationForm({
      deviceEui: device.device_eui,
      deviceName: device.name,
      typeId: device.type_id,
      codec: await findCodecForm(services, caller.organizationId, device.type_id),
      token,
    })
    return markupOf(form)
  },
})
