import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Builds the console, unless what is built is newer than all that it is made of. */

const root = join(import.meta.dirname, '../..')
/** A build writes it last. */
const built = join(root, 'console/dist/guide/index.html')
const files = ['console/index.html', 'console/vite.config.ts', 'package-lock.json', 'README.md']
const folders = ['console/src', 'console/public', 'console/guide', 'server/src/lora', 'docs']

/** Milliseconds since 1970; 0 where nothing is. */
function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** A folder changes when a file goes. What a build generates itself does not count. */
function listSources(): string[] {
  const inside = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.endsWith('generated.ts'))
      .map((name) => join(root, folder, name)),
  )
  return [...[...files, ...folders].map((path) => join(root, path)), ...inside]
}

export function isOutdated(): boolean {
  const since = changedAt(built)
  return listSources().some((path) => changedAt(path) > since)
}

if (import.meta.main && isOutdated()) {
  const options = { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' } as const
  process.exitCode = spawnSync('npm', ['run', '--silent', 'build'], options).status ?? 1
}
