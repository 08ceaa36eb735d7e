import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, connect as openConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { TLSSocket } from 'node:tls'
import { testCertificate, testKey } from '../../test/certificate.ts'
import { createTestDatabase } from '../../test/database.ts'
import { targetOf } from '../../test/database-proxy.ts'
import { connect } from './connect.ts'

/** The test's database behind TLS, as PostgreSQL speaks it: the client asks for it first. */
async function startWithTls(t: TestContext) {
  const database = await createTestDatabase()
  const listener = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write('S')
      const plain = new TLSSocket(socket, { isServer: true, key: testKey, cert: testCertificate })
      const inner = openConnection(targetOf(new URL(database.url)))
      for (const each of [plain, inner]) each.on('error', () => {})
      plain.pipe(inner).pipe(plain)
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const folder = await mkdtemp(join(tmpdir(), 'tls-'))
  t.after(async () => {
    listener.close()
    await database.drop()
    await rm(folder, { recursive: true })
  })
  const authority = join(folder, 'ca.pem')
  await writeFile(authority, testCertificate)
  const { port } = listener.address() as AddressInfo
  /** Reads a row by TLS, at this host and with these words of DATABASE_URL. */
  const read = async (host: string, words: Record<string, string>) => {
    const url = new URL(database.url)
    url.search = new URLSearchParams(words).toString()
    url.host = `${host}:${port}`
    const db = connect(url.href)
    try {
      return await db.query('select 1 as one')
    } finally {
      await db.close()
    }
  }
  return { read, authority }
}

test('TLS to the database is required with its authority and its name', async (t) => {
  const { read, authority } = await startWithTls(t)
  const full = { sslmode: 'verify-full', sslrootcert: authority }
  assert.deepEqual(await read('127.0.0.1', full), [{ one: 1 }])
  await assert.rejects(read('127.0.0.1', { sslmode: 'verify-full' }), /certificate/)
  // The certificate is for 127.0.0.1 only.
  await assert.rejects(read('localhost', full), /does not match|altnames/)
})
