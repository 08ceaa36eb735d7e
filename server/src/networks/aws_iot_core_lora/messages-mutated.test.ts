import { test } from 'node:test'
import { checkMutations, readExamples } from '../../../test/network-messages.ts'
import { readMessages } from './messages.ts'

test('reads anything made from its messages to a message or a NotOurMessage', () => {
  const headers = { 'x-amz-rules-engine-message-type': 'DestinationConfirmation' }
  const examples = readExamples(new URL('./examples/', import.meta.url))
  checkMutations([...examples.values()], (request) => readMessages({ ...request, headers }))
})
