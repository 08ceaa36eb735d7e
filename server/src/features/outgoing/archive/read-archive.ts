import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, type Readable } from 'node:stream'
import { pipeline as finish } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { z } from 'zod'
import { fileOf, type Manifest, type MemberName, manifest, manifestName } from './archive-format.ts'
import type { Restoring } from './restoring.ts'

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
    await finish(createReadStream(join(directory, file)), hash).catch((error) => {
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

/** Characters of a line. A type with its codec and examples has some hundred thousand at most. */
const longestLine = 4 * 1024 ** 2
/** Characters of the lines that are read together. */
const largestPage = 4 * longestLine

interface Page<T> {
  records: T[]
  characters: number
}

/**
 * The records of a file, some at a time. What is held in memory is bounded, however much a small file
 * inflates to.
 * @throws Error that names the line that is none.
 */
export async function* readRecords<Schema extends z.ZodType>(
  { directory, manifest }: Pick<Restoring, 'directory' | 'manifest'>,
  name: MemberName,
  schema: Schema,
  pageSize: number,
): AsyncGenerator<z.infer<Schema>[]> {
  const file = fileOf[name]
  const total = manifest.members[name]?.records
  if (total === undefined) return
  let page: Page<z.infer<Schema>> = { records: [], characters: 0 }
  let number = 0
  for await (const line of readLines(join(directory, file), file)) {
    number += 1
    if (number > total) {
      throw new Error(`${file} has more lines than the ${total} that the manifest names.`)
    }
    const read = schema.safeParse(readJson(line))
    if (!read.success) throw new Error(describeLine(number, file, read.error))
    page.records.push(read.data)
    page.characters += line.length
    if (page.records.length < pageSize && page.characters < largestPage) continue
    yield page.records
    page = { records: [], characters: 0 }
  }
  if (page.records.length > 0) yield page.records
}

/** The fault of a member is told where it has words of its own, as those of names. */
function describeLine(number: number, file: string, { issues }: z.ZodError): string {
  const told = issues.find(({ code }) => code === 'custom')
  return `Line ${number} of ${file} cannot be read${told ? `: ${told.message}` : '.'}`
}

async function* readLines(path: string, file: string): AsyncGenerator<string> {
  let number = 1
  let rest = ''
  try {
    for await (const chunk of openFile(path).setEncoding('utf8')) {
      const lines = (chunk as string).split('\n')
      lines[0] = rest + lines[0]
      rest = lines.pop() ?? ''
      yield* lines
      number += lines.length
      if (rest.length <= longestLine) continue
      throw new Error(`Line ${number} of ${file} is longer than ${longestLine} characters.`)
    }
  } catch (error) {
    if (!hasZlibCode(error)) throw error
    throw new Error(`${file} cannot be read: it is no whole gzip file (${error.message}).`)
  }
  if (rest !== '') yield rest
}

function hasZlibCode(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(Z_|ERR_ZLIB)/.test(String(error.code))
}

function openFile(path: string): Readable {
  const file = createReadStream(path)
  // The file is closed with the plain text, whose reader may stop early.
  return path.endsWith('.gz') ? pipeline(file, createGunzip(), () => {}) : file
}
