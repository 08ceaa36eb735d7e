/** `npm run upgrade-check`: the upgrade of a running service from an earlier commit. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const help = `npm run upgrade-check -- [--from REF]

Runs two processes of an earlier commit on one database, puts two of this one in their place, one
after the other, and sends uplinks, downlinks and requests of members all the time. Nothing may be
refused, lost or done twice.

  --from REF  the earlier commit, branch or tag; by default the last one without the newest migration
  --help      this text`

const { values } = readWords()
if (values.help) console.log(help)
else run(values.from)

function readWords() {
  try {
    return parseArgs({ options: { from: { type: 'string' }, help: { type: 'boolean' } } })
  } catch (error) {
    const words = error instanceof Error ? error.message : error
    process.stderr.write(`${words}; --help lists the options.\n`)
    process.exit(2)
  }
}

function run(from: string | undefined): void {
  const folder = join(import.meta.dirname, '../test')
  const setup = `--test-global-setup=${join(folder, 'cluster.ts')}`
  const env = from === undefined ? process.env : { ...process.env, UPGRADE_FROM: from }
  const child = spawn(process.execPath, ['--test', setup, join(folder, 'upgrade.test.ts')], {
    stdio: 'inherit',
    env,
  })
  child.once('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
