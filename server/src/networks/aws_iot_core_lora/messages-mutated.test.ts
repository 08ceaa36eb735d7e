import { test } from 'node:test'
import { readMutations } from '../test-mutations.ts'
import { readMessages } from './messages.ts'

test('reads anything made from its messages to a message or a NotOurMessage', () => {
  const headers = { 'x-amz-rules-engine-message-type': 'DestinationConfirmation' }
  const request = { path: '', query: {}, sentQuery: '', headers, receivedAt: '' }
  readMutations(new URL('./examples/', import.meta.url), (body) =>
    readMessages({ ...request, body }),
  )
})
