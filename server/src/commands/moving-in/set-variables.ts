import { type ServiceApi, ServiceRefusal } from '../service-api.ts'
import { inTurns } from './in-turns.ts'
import type { Row } from './plan.ts'

/**
 * Gives devices that are here now the variables that their codecs read at the source. A device that has
 * variables here keeps them. The report shows next to the device what the service refuses.
 */
export async function setVariables(
  service: ServiceApi,
  rows: readonly Row[],
  signal: AbortSignal,
): Promise<void> {
  const given = rows.filter(
    ({ device, status }) => status === 'done' && Object.keys(device.variables).length > 0,
  )
  await inTurns(given, signal, async (row) => {
    const path = `/devices/${row.device.eui}/variables`
    try {
      const { data } = await service.call('GET', path)
      if (Object.keys(data.variables).length > 0) return
      await service.call('PUT', path, { body: { variables: row.device.variables } })
    } catch (error) {
      if (!(error instanceof ServiceRefusal)) throw error
      row.message += ` Its variables were not taken over: ${error.words}`
    }
  })
}
