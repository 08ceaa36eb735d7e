import { normalizeEui } from '../../lora/eui.ts'
import { findNetwork } from '../../networks/index.ts'
import { EuiTakenMeanwhile, transactBatch } from '../batches/batch-transaction.ts'
import { insertGateways } from '../gateways/gateway-writes.ts'
import { archivedGateway } from './archive-format.ts'
import { findGateways } from './import-queries.ts'
import { readRecords } from './read-archive.ts'
import { type Ids, type Restored, type Restoring, refuseRepeated } from './restoring.ts'

const pageSize = 500

/** Records the gateways that are missing, without a call to their networks. */
export async function restoreGateways(
  restoring: Restoring,
): Promise<{ ids: Ids; restored: Restored }> {
  const { db, manifest, organizationId, sealer, now, isDryRun, tell } = restoring
  const ids: Ids = new Map()
  const total = manifest.members.gateways.records
  const restored = { added: 0, known: 0 }
  const placeOf = (gateway: { network: string; eui: string }) => `${gateway.network} ${gateway.eui}`
  for await (const page of readRecords(restoring, 'gateways', archivedGateway, pageSize)) {
    const gateways = page.map((gateway) => ({ ...gateway, eui: normalizeEui(gateway.gateway_eui) }))
    refuseRepeated('gateways', gateways, placeOf)
    await transactBatch(db, async (tx) => {
      const stored = await findGateways(
        tx,
        organizationId,
        gateways.map(({ eui }) => eui),
      )
      const known = new Map(stored.map((gateway) => [placeOf(gateway), gateway.id]))
      const missing = gateways.filter((gateway) => !known.has(placeOf(gateway)))
      if (!isDryRun) {
        for (const [method, some] of Map.groupBy(missing, (gateway) => gateway.register_method)) {
          const made = await insertGateways(tx, sealer, restoring, {
            registrations: some.flatMap(toRegistration),
            now,
            adoptedThrough: method,
          })
          if (!made) throw new EuiTakenMeanwhile()
          for (const [index, gateway] of some.entries())
            known.set(placeOf(gateway), made[index] ?? 0)
        }
      }
      for (const gateway of gateways)
        ids.set(gateway.id, known.get(placeOf(gateway)) ?? -gateway.id)
      restored.added += missing.length
      restored.known += gateways.length - missing.length
    })
    tell('gateways', restored.added + restored.known, total)
  }
  return { ids, restored }
}

interface ArchivedGateway {
  network: string
  gateway_eui: string
  name: string
  description: string | null
}

function toRegistration({ gateway_eui, name, description, ...gateway }: ArchivedGateway) {
  const network = findNetwork(gateway.network)
  if (!network) throw new Error(`This service has no network "${gateway.network}".`)
  const values = { gatewayEui: gateway_eui, gatewayName: name }
  return [{ network, values: { ...values, ...(description && { description }) } }]
}
