import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPlainServer } from '../../test/certificate.ts'
import { thisMachine } from '../../test/outside.ts'
import { plainReason } from './plain-reason.ts'
import { openRest } from './rest.ts'

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
