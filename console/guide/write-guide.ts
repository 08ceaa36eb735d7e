import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { compressFile } from '../scripts/compress-file.ts'
import { addressOf, indexPage } from './addresses.ts'
import { collectPages, type Guide } from './collect-pages.ts'
import { layOut, readNavigation } from './layout.ts'
import { makeSearchIndex } from './search-index.ts'

/*
 * Writes the guide: the Markdown of docs/ as HTML, with a search. Without arguments it goes to
 * console/dist/guide, where the service finds it; `npm run site -- FOLDER` writes it for any web
 * server. A broken link is named, and ends only the latter with an error: it keeps nobody from
 * installing the service.
 */

const root = join(import.meta.dirname, '../..')
const { positionals } = parseArgs({ allowPositionals: true })
const isServed = positionals[0] === undefined
const target = resolve(positionals[0] ?? join(root, 'console/dist/guide'))

const guide = collectPages(root)
await rm(target, { recursive: true, force: true })
await writePages(guide)
await writeAssets(guide)
for (const fault of guide.faults) console.error(`Broken link: ${fault}`)
if (!isServed) {
  console.log(`${guide.pages.size} pages are in ${target}.`)
  if (guide.faults.length > 0) process.exitCode = 1
}

async function writePages({ pages, files }: Guide): Promise<void> {
  const index = pages.get(indexPage)
  const sections = index ? readNavigation(index) : []
  for (const page of pages.values()) {
    await write(addressOf(page.file), layOut(page, { sections, isServed }))
  }
  for (const file of files) {
    const path = join(target, addressOf(file))
    await mkdir(dirname(path), { recursive: true })
    await cp(join(root, file), path)
  }
}

async function writeAssets({ pages }: Guide): Promise<void> {
  const here = import.meta.dirname
  await write('assets/search.json', JSON.stringify(makeSearchIndex(pages.values())))
  await write('assets/guide.css', await readFile(join(here, 'guide.css'), 'utf8'))
  const script = await readFile(join(here, 'guide-script.ts'), 'utf8')
  await write('assets/guide.js', stripTypeScriptTypes(script))
  await cp(join(root, 'console/public/favicon.svg'), join(target, 'assets/favicon.svg'))
}

async function write(address: string, content: string): Promise<void> {
  const path = join(target, address)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  if (isServed) await compressFile(path)
}
