import { changeOf } from '../../http/change-record.ts'
import { invalid } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import * as typeQueries from './device-type-queries.ts'
import { deviceTypeNotFound, deviceTypePath } from './device-type-record.ts'

export const deleteDeviceType = endpoint({
  summary: 'Delete a device type of your own that no device has',
  params: deviceTypePath,
  status: 204,
  failures: [404, 422],
  change: changeOf('device_type', 'deleted'),
  async handle({ params, caller, record }, { db }) {
    const { organizationId } = caller
    await db.transaction(async (tx) => {
      const type = await typeQueries.find(tx, organizationId, params.id, 'for update')
      if (!type) throw deviceTypeNotFound()
      const count = await typeQueries.countDevices(tx, organizationId, type.id)
      if (count > 0) {
        const devices = count === 1 ? '1 device' : `${count} devices`
        throw invalid({ id: [`The device type is in use by ${devices}.`] })
      }
      await typeQueries.remove(tx, organizationId, type.id)
      await record(tx)
    })
  },
})
