import { notFound } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import { findVariables } from '../inventory/variables-queries.ts'
import { variablesAnswer } from './variables-record.ts'

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
