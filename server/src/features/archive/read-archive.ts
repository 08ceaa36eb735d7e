import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { z } from 'zod'
import { fileOf, type Manifest, type MemberName, manifest, manifestName } from './archive-format.ts'

/**
 * Reads the manifest, and compares every file that it names with it.
 * @throws Error for a person: the archive is cut, or a file is not as it was written.
 */
export async function openArchive(directory: string): Promise<Manifest> {
  const found = await readManifest(directory)
  for (const [name, member] of Object.entries(found.members)) {
    if (!member) continue
    const file = fileOf[name as keyof typeof fileOf]
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(directory, file)), hash).catch((error) => {
      throw new Error(`${file} of the archive cannot be read: ${error.message}.`)
    })
    if (hash.digest('hex') !== member.sha256) {
      throw new Error(`${file} is not as it was written: its SHA-256 is not that of the manifest.`)
    }
  }
  return found
}

async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(join(directory, manifestName), 'utf8').catch(() => {
    throw new Error(`${directory} is no archive: it has no ${manifestName}, which is written last.`)
  })
  const read = manifest.safeParse(readJson(text))
  if (read.success) return read.data
  throw new Error(`${manifestName} is none that this version reads.`)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The records of a file, some at a time.
 * @throws Error that names the line that is none.
 */
export async function* readRecords<Schema extends z.ZodType>(
  directory: string,
  name: MemberName,
  schema: Schema,
  pageSize: number,
): AsyncGenerator<z.infer<Schema>[]> {
  const file = fileOf[name]
  let page: z.infer<Schema>[] = []
  let number = 0
  for await (const line of createInterface({ input: openFile(join(directory, file)) })) {
    number += 1
    const read = schema.safeParse(readJson(line))
    if (!read.success) throw new Error(`Line ${number} of ${file} cannot be read.`)
    page.push(read.data)
    if (page.length < pageSize) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

function openFile(path: string): Readable {
  const file = createReadStream(path)
  if (!path.endsWith('.gz')) return file
  const plain = createGunzip()
  file.on('error', (error) => plain.destroy(error))
  return file.pipe(plain)
}
