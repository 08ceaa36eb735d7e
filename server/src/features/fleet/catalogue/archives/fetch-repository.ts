import { Agent, type Dispatcher, request } from 'undici'
import { plainReason } from '../../../../networks/error-words.ts'
import { NetworkError } from '../../../../networks/network-error.ts'
import type { Outside } from '../../../../networks/outside.ts'
import type { FileTree } from '../published/catalogue-entry.ts'
import { CatalogueFault, createCollector } from './file-collector.ts'
import { readTarGz } from './read-tar.ts'

/*
 * Reads a repository at its web address. The list of branches and tags comes as git itself asks for it
 * (gitprotocol-http, "Smart Clients"), and the files as the archive of one commit, which the hosts of git have: so no
 * object of git is unpacked here.
 */

export interface Repository {
  /** `https://host/owner/name`, with or without `.git`. */
  url: string
  /** A branch, a tag or a commit; null: the repository's own branch. */
  ref: string | null
  folder: string | null
  token: string | undefined
}

/** Milliseconds for all of it. */
const deadline = 60_000
/** Bytes of the archive as it comes. */
const longestDownload = 64 * 1024 * 1024
/** Bytes of the list of branches and tags. */
const longestList = 8 * 1024 * 1024
const mostRedirects = 3

/**
 * @param known the commit that is known already: its files are not fetched again.
 * @throws CatalogueFault
 */
export async function fetchRepository(
  repository: Repository,
  outside: Outside,
  known?: string | null,
): Promise<{ revision: string; tree: FileTree | undefined }> {
  const dispatcher = new Agent({ connect: { lookup: outside.lookup, timeout: 10_000 } })
  const caller: Caller = {
    dispatcher,
    outside,
    origin: new URL(repository.url).origin,
    token: repository.token,
    signal: AbortSignal.timeout(deadline),
  }
  try {
    const base = repository.url.replace(/\/+$/, '').replace(/\.git$/, '')
    const revision = await findCommit(caller, repository)
    if (revision === known) return { revision, tree: undefined }
    return { revision, tree: await fetchFiles(caller, base, revision, repository.folder) }
  } catch (error) {
    if (error instanceof CatalogueFault) throw error
    if (error instanceof NetworkError) throw new CatalogueFault(error.message)
    throw new CatalogueFault(
      caller.signal.aborted
        ? `It took longer than ${deadline / 1000} seconds.`
        : `It cannot be reached: ${plainReason(error instanceof Error ? error.message : String(error))}.`,
    )
  } finally {
    void dispatcher.destroy()
  }
}

interface Caller {
  dispatcher: Dispatcher
  outside: Outside
  /** Only this host gets the token. */
  origin: string
  token: string | undefined
  signal: AbortSignal
}

async function get(caller: Caller, address: string): Promise<Dispatcher.ResponseData> {
  let url = new URL(address)
  for (let redirects = 0; ; redirects += 1) {
    caller.outside.check(url)
    const isOwn = url.origin === caller.origin
    const answer = await request(url, {
      dispatcher: caller.dispatcher,
      signal: caller.signal,
      headers: {
        // Hosts of git serve the list of branches only to a client of this name.
        'user-agent': 'git/2 (lora-console)',
        ...(caller.token && isOwn
          ? {
              authorization: `Basic ${Buffer.from(`git:${caller.token}`).toString('base64')}`,
              // What GitLab reads for archives.
              'private-token': caller.token,
            }
          : {}),
      },
    })
    const { location } = answer.headers
    if (answer.statusCode < 300 || answer.statusCode >= 400 || typeof location !== 'string') {
      return answer
    }
    await answer.body.dump()
    if (redirects === mostRedirects) throw new CatalogueFault('It redirects too often.')
    url = new URL(location, url)
  }
}

async function findCommit(caller: Caller, { url, ref }: Repository): Promise<string> {
  const base = url.replace(/\/+$/, '')
  const answer = await get(caller, `${base}/info/refs?service=git-upload-pack`)
  const type = String(answer.headers['content-type'] ?? '')
  if (
    answer.statusCode !== 200 ||
    !type.startsWith('application/x-git-upload-pack-advertisement')
  ) {
    await answer.body.dump()
    throw new CatalogueFault(
      [401, 403, 404].includes(answer.statusCode)
        ? 'There is no repository at this address, or it needs a token.'
        : 'No git repository answers at this address.',
    )
  }
  const refs = readRefs(await readBytes(answer.body, longestList, 'Its list of branches'))
  const names =
    ref === null ? ['HEAD'] : [`refs/heads/${ref}`, `refs/tags/${ref}^{}`, `refs/tags/${ref}`]
  const found = names.flatMap((name) => refs.get(name) ?? [])[0]
  if (found) return found
  if (ref !== null && /^[0-9a-f]{40}$/.test(ref)) return ref
  throw new CatalogueFault(
    ref === null ? 'The repository is empty.' : `The repository has no branch or tag ${ref}.`,
  )
}

/** Lines of pkt-line: four digits of the length, then `commit name`. */
function readRefs(bytes: Buffer): Map<string, string> {
  const refs = new Map<string, string>()
  let at = 0
  while (at + 4 <= bytes.length) {
    const length = Number.parseInt(bytes.toString('latin1', at, at + 4), 16)
    if (Number.isNaN(length)) throw new CatalogueFault('Its list of branches cannot be read.')
    const line = bytes.toString('utf8', at + 4, at + Math.max(length, 4))
    const [, commit, name] = /^([0-9a-f]{40}) ([^\0\n]+)/.exec(line) ?? []
    if (commit && name) refs.set(name, commit)
    at += Math.max(length, 4)
  }
  return refs
}

/** Where hosts have the archive of a commit. */
function archivesOf(base: string, commit: string): string[] {
  const name = base.slice(base.lastIndexOf('/') + 1)
  return [
    // GitHub, Gitea, Forgejo.
    `${base}/archive/${commit}.tar.gz`,
    // GitLab.
    `${base}/-/archive/${commit}/${name}-${commit}.tar.gz`,
    // Bitbucket.
    `${base}/get/${commit}.tar.gz`,
  ]
}

async function fetchFiles(
  caller: Caller,
  base: string,
  commit: string,
  folder: string | null,
): Promise<FileTree> {
  for (const address of archivesOf(base, commit)) {
    const answer = await get(caller, address)
    if (answer.statusCode !== 200 || /text\/html/.test(String(answer.headers['content-type']))) {
      await answer.body.dump()
      continue
    }
    const collector = createCollector(folder, { hasRoot: true })
    await readTarGz(limited(answer.body), collector)
    return collector.toTree()
  }
  throw new CatalogueFault(
    'Its host has no archives of a commit (tar.gz). Send the files as a zip in place of the address.',
  )
}

async function* limited(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > longestDownload) {
      throw new CatalogueFault(
        `It has more than ${longestDownload / 1024 / 1024} MB. Send the folders of some vendors as a zip, or ask the operator for the folder of catalogues.`,
      )
    }
    yield chunk
  }
}

async function readBytes(
  body: AsyncIterable<Buffer>,
  longest: number,
  what: string,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > longest) throw new CatalogueFault(`${what} is too long.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
