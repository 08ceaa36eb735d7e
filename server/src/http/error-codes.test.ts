import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { findLostCodes, writeErrorCodes } from '../../scripts/write-error-codes.ts'
import { startTestService } from '../../test/service.ts'
import { codeOf, errorCodes } from './error-codes.ts'

const service = await startTestService({ after })

test('each message of a refused field has a code beside it, with its values', async () => {
  const { status, body } = await service.call('POST', '/v1/devices', {
    body: { action: 'validate', deviceName: 'x'.repeat(300), deviceKey: 'aa' },
  })
  assert.equal(status, 422)
  assert.deepEqual(Object.keys(body.error_codes), Object.keys(body.errors))
  assert.deepEqual(Object.keys(body.error_values), Object.keys(body.errors))
  assert.deepEqual(body.error_codes.deviceKey, ['exact_length'])
  assert.deepEqual(body.error_values.deviceKey, [{ field: 'device key', length: 32 }])
  assert.deepEqual(body.error_codes.deviceName, ['too_long'])
  assert.deepEqual(body.error_values.deviceName, [{ field: 'device name', limit: 255 }])
  assert.deepEqual(body.errors.deviceKey, ['The device key must be 32 characters.'])
})

test('an answer without fields has its code in a header, and its body is as ever', async () => {
  const answers = [
    ['GET', '/v1/devices/0011223344556677', 'device_not_found'],
    ['GET', '/v1/nowhere', 'nothing_here'],
  ] as const
  for (const [method, url, code] of answers) {
    const { headers, body } = await service.call(method, url)
    assert.equal(headers['error-code'], code)
    assert.deepEqual(Object.keys(body), ['message'])
  }
})

test('a message that no table lists has the code of its status', () => {
  assert.deepEqual(codeOf('The owl is asleep.', 409), { code: 'conflict', values: {} })
})

test('each template has its own code, and none hides another', () => {
  for (const [code, templates] of Object.entries(errorCodes)) {
    for (const template of templates) {
      const message = template.replace(/\{\w+:n\}/g, '12').replace(/\{\w+\}/g, 'apple')
      assert.equal(codeOf(message, 422).code, code, message)
    }
  }
})

test('the table of the docs is the one of the service (npm run error-codes)', async () => {
  const file = new URL('../../../docs/generated/error-codes.md', import.meta.url)
  assert.equal(await readFile(file, 'utf8'), writeErrorCodes())
})

test('a code that is taken away or renamed is found', () => {
  const page = writeErrorCodes()
  assert.deepEqual(findLostCodes(page, page), [])
  assert.deepEqual(findLostCodes(page, page.replace('`too_long`', '`longer`')), ['`too_long`'])
  assert.deepEqual(findLostCodes(page.replace('`too_long`', '`longer`'), page), ['`longer`'])
})
