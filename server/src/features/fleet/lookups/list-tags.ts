import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { endpoint } from '../../core-services.ts'
import { listUsedTags } from './tag-queries.ts'

const mostTags = 1000

const usedTag = z
  .object(
    withExamples(
      { key: z.string(), value: z.string(), devices: z.int(), gateways: z.int() },
      { key: 'floor', value: '2', devices: 40, gateways: 1 },
    ),
  )
  .meta({ id: 'UsedTag' })

export const listTags = endpoint({
  summary: 'The tags of devices and gateways, with the number of each',
  description: `Up to ${mostTags}: those that most have come first.`,
  answer: z.object({ data: z.array(usedTag) }),
  isHeavy: true,
  async handle({ caller }, { db }) {
    return { data: await listUsedTags(db, caller.organizationId, mostTags) }
  },
})
