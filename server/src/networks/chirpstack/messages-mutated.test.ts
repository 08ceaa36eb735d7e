import { test } from 'node:test'
import { checkMutations, readExamples } from '../../../test/network-messages.ts'
import { readMessage } from './messages.ts'

const events = ['up', 'join', 'ack', 'txack', 'log', 'status', 'location', 'integration']

for (const event of events) {
  test(`reads anything as ${event} to a message or a NotOurMessage`, () => {
    const bodies = [...readExamples(new URL('./examples/', import.meta.url)).values()]
    checkMutations(bodies, (request) => [readMessage({ ...request, query: { event } })])
  })
}
