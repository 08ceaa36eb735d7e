import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { startPlainServer, startTlsProxy, testCertificate } from '../../../test/certificate.ts'
import { connectToChirpStack, failsWith } from '../../../test/network-connections.ts'
import { thisMachine } from '../../../test/outside.ts'
import { openConnection } from './connection.ts'

test('connects to https at an address, by a certificate of that address', async (context) => {
  const { simulator } = await connectToChirpStack(context)
  const port = await startTlsProxy(context, Number(new URL(simulator.server).port))
  const values = { ...simulator.account, server: `https://127.0.0.1:${port}` }
  const untrusted = openConnection(values, thisMachine)
  context.after(() => untrusted.close())
  await assert.rejects(untrusted.check(), failsWith('unreachable', /self-signed certificate/))
  setDefaultCACertificates([...getCACertificates(), testCertificate])
  const connection = openConnection(values, thisMachine)
  context.after(() => connection.close())
  await connection.check()
})

test('says in plain words that a server speaks no TLS', async (context) => {
  const { simulator } = await connectToChirpStack(context)
  const port = await startPlainServer(context)
  const server = `https://127.0.0.1:${port}`
  const connection = openConnection({ ...simulator.account, server }, thisMachine)
  context.after(() => connection.close())
  await assert.rejects(connection.check(), (error: Error) => {
    assert.match(error.message, /it does not speak TLS at this port/)
    assert.doesNotMatch(error.message, /openssl|\.c:|error:/i)
    return true
  })
})
