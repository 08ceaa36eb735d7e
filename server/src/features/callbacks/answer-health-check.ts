import { z } from 'zod'
import { openEndpoint } from '../core-services.ts'
import { callbackParams } from './take-callback.ts'

/** Some networks ask whether a callback is there before they use it, and from time to time. */
export const answerHealthCheck = openEndpoint({
  summary: 'Tell a network that a callback is there',
  params: z.object(callbackParams),
  status: 204,
  async handle() {},
})
