import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPlainServer } from '../../test/certificate.ts'
import { thisMachine } from '../../test/outside.ts'
import { plainReason, readStatusWords, readWords } from './error-words.ts'
import { openRest } from './rest.ts'

test('reads what most APIs call their words, and what is wrong with the fields', () => {
  const bodies: [unknown, string | undefined][] = [
    ['plain words', 'plain words'],
    ['<html>no</html>', undefined],
    ['', undefined],
    [{}, undefined],
    [{ message: 'No.' }, 'No.'],
    [{ error: 'invalid_client', error_description: 'Wrong secret' }, 'Wrong secret'],
    [
      { message: 'Invalid', errors: [{ field: 'name', message: 'is too long' }] },
      'Invalid: name: is too long',
    ],
    [{ errors: { name: ['is too long', 'is odd'] } }, 'name: is too long is odd'],
    [{ message: 'Invalid', errors: ['name', 'key'] }, 'Invalid: name; key'],
    [{ message: 'Invalid', errors: [] }, 'Invalid'],
  ]
  for (const [body, words] of bodies) assert.equal(readWords(body), words, JSON.stringify(body))
})

/** As a The Things Stack 3.32 answers a name of 51 characters. */
const tooLong = {
  code: 3,
  message: 'error:pkg/errors:validation (invalid `end_device`: embedded message failed validation)',
  details: [
    {
      '@type': 'type.googleapis.com/ttn.lorawan.v3.ErrorDetails',
      namespace: 'pkg/errors',
      name: 'validation',
      message_format: 'invalid `{field}`: {reason}',
      attributes: { field: 'end_device', reason: 'embedded message failed validation' },
      cause: {
        namespace: 'pkg/errors',
        name: 'validation',
        message_format: 'invalid `{field}`: {reason}',
        attributes: { field: 'name', reason: 'value length must be at most 50 runes' },
      },
    },
  ],
}

const denied = {
  code: 7,
  message:
    'error:pkg/auth/rights:insufficient_gateway_rights (insufficient rights for gateway `roof`)',
  details: [{ attributes: { uid: 'roof', missing: '[RIGHT_GATEWAY_INFO RIGHT_GATEWAY_DELETE]' } }],
}

const caused = {
  message: 'error:pkg/frequencyplans:not_found (frequency plan `MARS_1` not found)',
  details: [
    {
      message_format: 'frequency plan `{id}` not found',
      attributes: { id: 'MARS_1' },
      cause: { message_format: 'file `{name}` is missing', attributes: { name: 'MARS_1.yml' } },
    },
  ],
}

test('reads the innermost words of The Things Stack, and the rights that are missing', () => {
  const bodies: [unknown, string | undefined][] = [
    [tooLong, 'name: value length must be at most 50 runes'],
    [
      denied,
      'insufficient rights for gateway `roof` (missing: RIGHT_GATEWAY_INFO, RIGHT_GATEWAY_DELETE)',
    ],
    [caused, 'frequency plan `MARS_1` not found: file `MARS_1.yml` is missing'],
    [{ message: 'error:pkg/x:y (no words)' }, 'no words'],
    [{ message: 'plain words', details: [] }, 'plain words'],
    [{}, undefined],
    ['no object', undefined],
  ]
  for (const [body, words] of bodies) assert.equal(readStatusWords(body), words)
})

test('tells what OpenSSL says in plain words', () => {
  const said = (reason: string) =>
    `80DB3C5E177F0000:error:0A00010B:SSL routines:tls_validate_record_header:${reason}:../deps/openssl/openssl/ssl/record/methods/tlsany_meth.c:84:\n`
  const plain = {
    'wrong version number': 'it does not speak TLS at this port',
    'tlsv1 alert protocol version': 'it speaks no version of TLS that is accepted',
    'tlsv13 alert certificate required': 'it asks for a client certificate',
    'ssl/tls alert handshake failure': 'it refused the TLS handshake',
    'tlsv1 unrecognized name': 'it knows no server of this name',
    'something new': 'TLS failed (something new)',
  }
  for (const [reason, words] of Object.entries(plain)) {
    assert.equal(plainReason(said(reason)).trim(), words)
    assert.equal(plainReason(`No connection: ${said(reason)}`).trim(), `No connection: ${words}`)
  }
  assert.equal(plainReason('connect ECONNREFUSED 127.0.0.1:1'), 'connect ECONNREFUSED 127.0.0.1:1')
})

test('a network that speaks no TLS is told so', async (context) => {
  const port = await startPlainServer(context)
  const options = { name: 'Far', base: `https://127.0.0.1:${port}`, outside: thisMachine }
  const rest = openRest({ ...options, secrets: [] })
  context.after(() => rest.close())
  await assert.rejects(rest.call({ method: 'GET', path: '/' }), (error: Error) => {
    assert.equal(
      error.message,
      `Far at 127.0.0.1:${port} could not be reached: it does not speak TLS at this port.`,
    )
    return true
  })
})
