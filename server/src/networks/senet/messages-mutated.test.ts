import { test } from 'node:test'
import { checkMutations, readExamples } from '../../../test/network-messages.ts'
import { readMessages } from './messages.ts'

test('reads anything made from its messages to messages or a NotOurMessage', () => {
  const bodies = [...readExamples(new URL('./examples/', import.meta.url)).values()]
  bodies.push({ ...bodies[0], ismBand: 'US915', datarate: 3 })
  checkMutations(bodies, ({ body, receivedAt }) => readMessages(body, receivedAt))
})
