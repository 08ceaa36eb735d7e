import { z } from 'zod'
import { networks } from '../../networks/index.ts'
import { endpoint } from '../core-services.ts'
import { countOfAccounts, listStates } from './fleet-network-queries.ts'
import { fleetNetwork, toFleetNetwork } from './fleet-network-record.ts'

export const listFleetNetworks = endpoint({
  summary: 'Every network, what it can do, and the state of the accounts at it',
  description:
    "An operator's account (`vendor`) that other organizations may use is listed for them with its status alone; `counts` are those of the organization.",
  answer: z.object({ data: z.array(fleetNetwork), total: z.int().meta({ examples: [1] }) }),
  async handle({ caller: { organizationId } }, { db }) {
    const keys = networks.map(({ key }) => key)
    const states = await listStates(db, organizationId)
    const methods = [...new Set(states.map((state) => state.register_method))]
    const counts = await countOfAccounts(db, organizationId, { networks: keys, methods })
    const data = networks.map((network) => toFleetNetwork(network, { states, counts }))
    return { data, total: data.length }
  },
})
