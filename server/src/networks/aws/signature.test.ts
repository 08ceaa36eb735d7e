import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signBrokerAddress } from './signature.ts'

test('signs the address of a broker as the signer of AWS itself does', () => {
  const account = {
    region: 'eu-central-1',
    accessKeyId: 'AKIDEXAMPLE0000TEST0',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  }
  const url = 'wss://a1b2c3-ats.iot.eu-central-1.amazonaws.com/mqtt'
  // The signature is the one that `presign` of @smithy/signature-v4 5 gives for the same.
  assert.equal(
    signBrokerAddress(url, account, new Date('2026-01-31T23:59:59Z')),
    `${url}?X-Amz-Algorithm=AWS4-HMAC-SHA256` +
      '&X-Amz-Credential=AKIDEXAMPLE0000TEST0%2F20260131%2Feu-central-1%2Fiotdevicegateway%2Faws4_request' +
      '&X-Amz-Date=20260131T235959Z&X-Amz-Expires=300&X-Amz-SignedHeaders=host' +
      '&X-Amz-Signature=ec28c359fa65b6576edd170504758c60c326363e125f7e81597a712bd91df981',
  )
})
