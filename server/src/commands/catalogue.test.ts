import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { chirpStackFiles, writeFolder, zipOf } from '../../test/catalogues.ts'
import { runCommand } from '../../test/command.ts'
import { startListening } from '../../test/service.ts'

const service = await startListening({ after })
const { port } = service.app.server.address() as { port: number }
const run = (words: string[]) =>
  runCommand(['catalogue', ...words, '--url', `http://127.0.0.1:${port}`], {
    API_TOKEN: service.owner.token,
  })

test('adds a zip, finds a model in it, and takes it', async () => {
  const archive = join(await writeFolder({}), 'acme.zip')
  await writeFile(archive, zipOf(chirpStackFiles()))
  const added = await run(['add', archive])
  assert.match(added.output, /^Catalogue \d+: 2 models of 1 vendor\.$/m, added.errors)
  const found = await run(['search', 'cold'])
  const [, id = ''] =
    /^(\d+\.acme\.cold-probe)\tAcme Cold probe\tEU868,US915\t-$/m.exec(found.output) ?? []
  const taken = await run(['take', id, '--region', 'EU868', '--name', 'Freezer'])
  assert.match(taken.output, /^Device type \d+: Freezer\. 1 of 1 test cases pass\.$/m, taken.errors)
  const refused = await run(['take', '9.acme.none'])
  assert.deepEqual([refused.code, refused.output], [1, ''])
  assert.match(refused.errors, /Model not found/)
  assert.match((await run(['add', 'no-such.zip'])).errors, /no-such\.zip cannot be read/)
})
