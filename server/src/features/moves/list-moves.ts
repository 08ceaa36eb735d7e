import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import { queryChoice, queryInteger, searchText } from '../../http/fields.ts'
import { normalizeEui } from '../../lora/eui.ts'
import { findNetwork } from '../../networks/index.ts'
import { endpoint } from '../core-services.ts'
import { listMoves as list, moveStates } from './move-queries.ts'
import { moveRecord, toMoveRecord } from './move-record.ts'

const states = ['open', ...moveStates] as const

export const listMoves = endpoint({
  summary: 'Moves of devices between networks, newest first',
  query: z.object({
    device: searchText('device').describe('The DevEUI: the moves of one device.'),
    state: queryChoice('state', states).optional().describe('`open`: all that are not over.'),
    network: searchText('network').describe('The key of the old or the new network.'),
    after: queryInteger('after', { min: 1, fallback: 0 }).describe(
      'The `after` of the answer before: the further ones.',
    ),
    limit: queryInteger('limit', { min: 1, max: 100, fallback: 25 }),
  }),
  answer: z.object({
    data: z.array(moveRecord),
    ...withExamples(
      { after: z.int().nullable().describe('The `after` of the next request; null at the end.') },
      { after: null },
    ),
  }),
  async handle({ query, caller: { organizationId } }, { db }) {
    const { device, state, network, limit } = query
    const filter = {
      eui: device ? normalizeEui(device) : undefined,
      state: state === 'open' ? undefined : state,
      isOpen: state === 'open',
      network: network ? (findNetwork(network)?.key ?? network) : undefined,
    }
    const before = query.after === 0 ? undefined : query.after
    const moves = await list(db, organizationId, filter, { before, limit })
    const last = moves.length < limit ? undefined : moves.at(-1)
    return { data: moves.map(toMoveRecord), after: last?.id ?? null }
  },
})
