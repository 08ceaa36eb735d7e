/** `npm run collections`: all operations of the API as collections of Postman and of Bruno. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { referenceDocument } from '../src/reference/reference-document.ts'
import { routes } from '../src/routes.ts'
import { brunoFiles } from './bruno-collection.ts'
import { collectRequests } from './collection-requests.ts'
import { postmanCollection } from './postman-collection.ts'

const target = resolve(process.argv[2] ?? 'collections')
const requests = collectRequests(referenceDocument(routes, { publicUrl: '', basePath: '/v1' }))
const bruno = join(target, 'bruno')
await rm(bruno, { recursive: true, force: true })
await mkdir(bruno, { recursive: true })
await writeFile(join(target, 'postman.json'), JSON.stringify(postmanCollection(requests), null, 2))
for (const [path, text] of brunoFiles(requests)) {
  await mkdir(dirname(join(bruno, path)), { recursive: true })
  await writeFile(join(bruno, path), text)
}
console.log(`${requests.length} requests are in ${target}, for Postman and for Bruno.`)
