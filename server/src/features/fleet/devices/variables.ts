import { changeOf } from '../../../http/change-record.ts'
import { notFound } from '../../../http/errors.ts'
import { endpoint } from '../../core-services.ts'
import { findVariables, storeVariables } from '../inventory/device-queries.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import { variablesAnswer, variablesBody } from './variables-record.ts'

export const showVariables = endpoint({
  summary: 'What the codec of a device gets as `input.variables`',
  description: 'It takes the permission `manage_devices`, because some keep tokens there.',
  params: devicePath,
  answer: variablesAnswer,
  failures: [404],
  async handle({ params, caller }, { db, sealer }) {
    const reference = readReference(params.device_id)
    const found = await findVariables(db, sealer, caller.organizationId, reference)
    if (!found) throw notFound('device not found')
    return { data: { variables: found.variables } }
  },
})

export const replaceVariables = endpoint({
  summary: 'Replace what the codec of a device gets as `input.variables`',
  description:
    'For values that differ from device to device, such as a calibration. They are texts, as at ChirpStack, and count from the next uplink or downlink on.',
  params: devicePath,
  body: variablesBody,
  examples: [{ name: 'a calibration', body: { variables: { offset: '1.5' } } }],
  answer: variablesAnswer,
  failures: [404],
  change: changeOf('device', 'changed'),
  async handle({ params, body, caller, record }, { db, sealer, now }) {
    const { organizationId } = caller
    const reference = readReference(params.device_id)
    const found = await findVariables(db, sealer, organizationId, reference)
    if (!found) throw notFound('device not found')
    const { variables } = body
    const { deviceId } = found
    await db.transaction(async (tx) => {
      await storeVariables(tx, sealer, organizationId, { deviceId, variables, now: now() })
      await record(tx)
    })
    return { data: { variables } }
  },
})
