import { test } from 'node:test'
import { checkMutations, readExamples } from '../../../test/network-messages.ts'
import { isObject } from '../message-fields.ts'
import { readMessages } from './messages.ts'
import { checkSignature } from './signature.ts'

test('reads anything made from its messages to messages or a NotOurMessage', () => {
  const examples = [...readExamples(new URL('./examples/', import.meta.url)).values()]
  const bodies = examples.map((example) => (isObject(example.body) ? example.body : example))
  checkMutations(bodies, (request) => {
    checkSignature({ ...request, sentQuery: 'Token=0&Time=%' }, { as_key: '00' })
    return readMessages(request)
  })
})
