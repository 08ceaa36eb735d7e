import { test } from 'node:test'
import { checkMutations, readExamples } from '../../../test/network-messages.ts'
import { readMessage } from './messages.ts'

test('reads anything made from its messages to messages or a NotOurMessage', () => {
  const bodies = [...readExamples(new URL('./examples/', import.meta.url)).values()]
  const { end_device_ids } = bodies[0] ?? {}
  const location = { latitude: 1, longitude: 2 }
  bodies.push({ end_device_ids, location_solved: { service: 'x', location } })
  bodies.push({ end_device_ids, downlink_queue_invalidated: { last_f_cnt_down: 1 } })
  checkMutations(bodies, (request) => [readMessage(request)])
})
