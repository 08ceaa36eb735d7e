import { z } from 'zod'
import { endpoint } from '../core-services.ts'
import { findMove } from './move-queries.ts'
import { moveNotFound, movePath, moveRecord, toMoveRecord } from './move-record.ts'

export const getMove = endpoint({
  summary: 'A move of a device to another network, and its history',
  params: movePath,
  answer: z.object({ data: moveRecord }),
  failures: [404],
  async handle({ params, caller }, { db }) {
    const move = await findMove(db, caller.organizationId, params.move_id)
    if (!move) throw moveNotFound()
    return { data: toMoveRecord(move) }
  },
})
